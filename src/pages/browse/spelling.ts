import type { BrowsePage } from "../../../schema/browse.ts"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import { parseSearchQuery, wantedWords } from "../../../schema/search-query.ts"
import { type El, el, type Kid } from "../../page-tree/tree.ts"
import { browsePath } from "./filters.ts"

/** The words that were searched for, as typed or corrected. */
export const searchedWords = ({ corrected_query }: BrowsePage, { q }: BrowseQuery): ReadonlyArray<string> =>
  q === undefined ? [] : wantedWords(parseSearchQuery(corrected_query ?? q))

export const otherSpellings = (query: BrowseQuery): El =>
  el("a", { href: browsePath(query, { exact: undefined }) }, "Search for other spellings too")

/** Says which words were let go, with a link to a search for all of them. */
export const letGo = ({ dropped }: BrowsePage, query: BrowseQuery): Kid =>
  dropped !== undefined &&
  el(
    "p",
    { class: "note" },
    "These are without ",
    el("strong", {}, dropped.join(", ")),
    ". ",
    query.exact !== "1" && el("a", { href: browsePath(query, { exact: "1" }) }, "Search for every word")
  )

const linkTo = (query: BrowseQuery, { q, total }: { readonly q: string; readonly total: number }): El =>
  el("a", { href: browsePath(query, { q }) }, `${q} (${total})`)

/** Asks whether a word that is hardly on record was meant as one that is, and offers other words for it. */
export const otherWays = (
  { did_you_mean: meant, also_said: also, other_words }: BrowsePage,
  query: BrowseQuery
): Kid => [
  meant !== undefined && el("p", { class: "note" }, "Did you mean ", linkTo(query, meant), "?"),
  also !== undefined &&
    el(
      "p",
      { class: "note" },
      other_words === true ? "Searched also for words that mean the same. " : "",
      "Also said here: ",
      also.map((one, at) => [at > 0 && ", ", linkTo(query, one)])
    )
]

/** Says that corrected words were searched for, with a link to the words as typed; or the other way around. */
export const correction = ({ corrected_query, total }: BrowsePage, query: BrowseQuery): Kid => {
  const { exact, q } = query
  if (exact === "1" && q !== undefined && total > 0) {
    return el("p", { class: "note" }, `These are for “${q}” as it is spelled. `, otherSpellings(query))
  }
  return (
    corrected_query !== undefined &&
    el(
      "p",
      { class: "note" },
      "These are for ",
      el("strong", {}, `“${corrected_query}”`),
      ". ",
      el("a", { href: browsePath(query, { exact: "1" }) }, `Search for “${q}” as it is spelled`)
    )
  )
}

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

/** Says which words of a long search were let go. */
export const letGo = ({ dropped }: BrowsePage): Kid =>
  dropped !== undefined &&
  el("p", { class: "note" }, "A search has at most 16 words. Let go: ", el("strong", {}, dropped.join(", ")), ".")

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

import { Struct } from "effect"
import type { BrowsePage } from "../../../schema/browse.ts"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import { parseSearchQuery, writeSearchQuery } from "../../../schema/search-query.ts"
import { el, type Kid } from "../../page-tree/tree.ts"
import { given } from "../../services/wire.ts"

/** The query with the date that was typed among its words as filters, each of which can be dropped. */
const withDates = ({ q, ...rest }: BrowseQuery, { dates }: BrowsePage): BrowseQuery =>
  dates === undefined
    ? { ...given("q", q), ...rest }
    : { ...given("q", dates.q), ...rest, ...Struct.pick(dates, ["date_from", "date_to"]) }

/**
 * The query with a person, and a matter, that stood among its words as filters. Two of a kind stay: the words ask for
 * both of them, and a filter for either.
 */
const withNames = (query: BrowseQuery, { named = [] }: BrowsePage): BrowseQuery => {
  const { either } = parseSearchQuery(query.q ?? "")
  const [only] = either
  if (only === undefined || either.length > 1) return query
  const lifted = (["person", "matter"] as const).flatMap((name) => {
    const [scope, ...others] = only.scopes.filter((one) => one.name === name)
    const meant = named.find((one) => one.name === name && one.value === scope?.text)
    const isWhole = meant !== undefined && meant.total > 0 && meant.total === meant.found.length
    return scope === undefined || scope.negated || others.length > 0 || query[name] !== undefined || !isWhole
      ? []
      : [{ scope, name, slugs: meant.found.map(({ slug }) => slug) }]
  })
  if (lifted.length === 0) return query
  const scopes = only.scopes.filter((scope) => !lifted.some((one) => one.scope === scope))
  const q = writeSearchQuery({ either: [{ ...only, scopes }] })
  const { q: _, ...rest } = query
  return {
    ...(q === "" ? {} : { q }),
    ...rest,
    ...Object.fromEntries(lifted.map(({ name, slugs }) => [name, slugs]))
  }
}

/** The query with what was typed among its words, and means a filter, as filters. */
export const withTyped = (query: BrowseQuery, found: BrowsePage): BrowseQuery =>
  withNames(withDates(query, found), found)

/** Says which names of people and matters nobody, and nothing, on record has. */
export const unknownNames = ({ named = [] }: BrowsePage): Kid => {
  const unknown = named.filter(({ total }) => total === 0)
  return unknown.map(({ name, value }) =>
    el(
      "p",
      { class: "note" },
      name === "person" ? "Nobody in office on record is called " : "No matter on record is called ",
      el("strong", {}, `“${value}”`),
      "."
    )
  )
}

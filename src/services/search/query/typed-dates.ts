import { DateTime, Effect } from "effect"
import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import { datesIn } from "../../../text/dates-in-query.ts"

const latest = (one: string, other = one): string => (one > other ? one : other)
const earliest = (one: string, other = one): string => (one < other ? one : other)

/**
 * A query with the date among its words as filters, within those that it has; and `dates`, what was taken, if anything.
 * `exact` leaves the words as they are.
 */
export const withTypedDates = Effect.fnUntraced(function* (query: BrowseQuery) {
  const { q: typed = "", ...rest } = query
  const found = query.exact === "1" ? undefined : datesIn(typed, yield* DateTime.nowAsDate)
  if (found === undefined) return { query }
  const { text, q, from, to } = found
  const days = { date_from: latest(from, query.date_from), date_to: earliest(to, query.date_to) }
  const words = q === "" ? {} : { q }
  return { query: { ...rest, ...words, ...days } satisfies BrowseQuery, dates: { text, ...words, ...days } }
})

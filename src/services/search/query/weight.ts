import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import { Match } from "../../../../schema/meeting.ts"
import { type SearchQuery, wantedWords } from "../../../../schema/search-query.ts"
import { countWords } from "./query-budget.ts"

/** What a query has where it names nothing else. */
export const defaults = { page: 1, page_size: 20, per_group: 3 }

const kindsOfMatch = Match.fields.field.literals.length

/**
 * How much a search costs, estimated before it runs. The unit is one look at one meeting of its page: for its card, or
 * for one word in one kind of its texts (title, agenda, transcript). The page decides because the index finds and
 * counts in milliseconds however much matches, while the texts of every meeting shown are read from the database. A
 * page of twenty meetings for two words is 380 units, and the largest page for the most words over 200,000.
 */
export const weightOf = (
  { group_by, page_size = defaults.page_size, per_group = defaults.per_group }: BrowseQuery,
  search: SearchQuery | undefined
): number => {
  const meetings = page_size * (group_by === undefined ? 1 : per_group)
  const words = search === undefined ? 0 : countWords(wantedWords(search).join(" "))
  return meetings * (1 + kindsOfMatch * words)
}

import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { ReadSql } from "../../../../layers/db/db.ts"
import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import type { MeetingCard } from "../../../../schema/meeting.ts"
import { parseSearchQuery } from "../../../../schema/search-query.ts"
import type { Viewer } from "../../../../schema/viewer.ts"
import { clampAtWord } from "../../../text/clamp.ts"
import { cardsOf } from "../../meetings/cards.ts"
import { given } from "../../wire.ts"
import type { Finder, Wanted } from "../found/found.ts"
import type { Results } from "../found/results.ts"
import { momentPath } from "../matches/moments.ts"
import { defaults } from "../query/weight.ts"
import { ByMeaning } from "./by-meaning.ts"

/** Words that find as many meetings as this are not few. */
const fewFound = 20
/** The most meetings that are found by their meaning. */
const mostMeant = 10
/** The most characters of a text that are shown. */
const longestSnippet = 200

/** Whether a query is words alone: who writes quotes, `-`, `or` or scopes wants what is written. */
const isPlain = (q: string): boolean => {
  const [only, ...others] = parseSearchQuery(q).either
  return (
    only !== undefined &&
    others.length === 0 &&
    only.words.length > 0 &&
    [only.phrases, only.notWords, only.notPhrases, only.scopes].every(({ length }) => length === 0)
  )
}

/** What was asked: the words as they were typed, and by whom. */
interface AskedFor {
  readonly typed: string
  readonly viewer: Viewer
}

/**
 * The cards of meetings that a search by relevance leaves room for on its first page, because its words find few: those
 * with a text that means what was typed. Undefined without any, or without a model.
 */
export const makeMeantCards = Effect.fnUntraced(function* (
  db: ReadSql,
  baseUrl: string,
  resultsIn: (wanted: Wanted, finder: Finder) => Effect.Effect<Results, SqlError.SqlError>
) {
  const byMeaning = yield* ByMeaning
  return Effect.fnUntraced(function* (
    { exact, group_by, page_size = defaults.page_size }: BrowseQuery,
    { filters, narrowed: { total }, sort }: Results,
    finder: Finder,
    { typed, viewer }: AskedFor,
    found: ReadonlyArray<MeetingCard>
  ) {
    const room = Math.min(page_size, fewFound) - total
    if (byMeaning === undefined || room <= 0 || exact === "1" || group_by !== undefined) return undefined
    if (sort !== "relevance" || !isPlain(typed)) return undefined
    const { narrowed } = yield* resultsIn({ filters, search: undefined, sort: "newest" }, finder)
    const texts = yield* byMeaning({
      q: typed.trim().replace(/\s+/gu, " "),
      filters,
      within: narrowed.total,
      isReader: viewer._tag === "Reader",
      without: found.map(({ id }) => id),
      most: Math.min(room, mostMeant)
    })
    const of = new Map(texts.map((text) => [text.meeting, text]))
    const cards = yield* cardsOf(db, [...of.keys()], baseUrl)
    const shown = cards.flatMap((card): ReadonlyArray<MeetingCard> => {
      const text = of.get(card.id)
      if (text === undefined) return []
      const { field, start } = text
      const path = start === null ? card.path : momentPath(card.path, start, "")
      return [
        {
          ...card,
          matches: [{ field, snippet: clampAtWord(text.text, longestSnippet), ...given("start", start), path }]
        }
      ]
    })
    return shown.length === 0 ? undefined : shown
  })
})

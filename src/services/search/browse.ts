import { Context, Effect, Layer } from "effect"
import { dbDies, ReadDb } from "../../../layers/db.ts"
import type { BrowsePage } from "../../../schema/browse.ts"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { cardsOf } from "../meetings/cards.ts"
import { countFacets } from "./facets.ts"
import { type ActiveFilter, activeFilters } from "./filters.ts"
import { foundMeetings } from "./found-meetings.ts"
import { matchesOf } from "./matches.ts"
import { makeQueryBudget, type SearchesBusy, type SearchOverBudget } from "./query-budget.ts"
import { parseSearchQuery, type SearchQuery, wantedWords } from "./search-query.ts"
import { anyOf, togetherOf } from "./search-sql.ts"
import { correctSpelling } from "./spelling.ts"

const defaults = { page: 1, page_size: 20, per_group: 3 }

/** Beyond this many meetings, relevance no longer tells them apart, and the newest come first. */
const rankedAtMost = 5000

/** A query once it has been read and counted. */
interface Asked {
  readonly filters: ReadonlyArray<ActiveFilter>
  readonly search: SearchQuery | undefined
  readonly total: number
}

/** Faceted search over the held meetings (spec 4.3). */
export class Browse extends Context.Service<
  Browse,
  {
    /**
     * One page of the meetings that fit, and each facet counted under all the other filters. With `group_by`, also
     * one page of the bodies that held them, those with the most first, each with its first `per_group` meetings.
     * With `q`, the best matches come first and say where it was found; a query that fits nothing is tried again with
     * misspelled names corrected.
     */
    readonly search: (query: BrowseQuery) => Effect.Effect<BrowsePage, SearchOverBudget | SearchesBusy>
    /** All that fits, as `search` would page it, newest first and whatever the page. */
    readonly found: (query: BrowseQuery) => Effect.Effect<ReadonlyArray<MeetingId>, SearchOverBudget | SearchesBusy>
  }
>()("civic-record/Browse") {
  static readonly layer = Layer.effect(
    Browse,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const withinBudget = yield* makeQueryBudget(db)

      /** Every meeting that fits, as rows `id, body_id, date, score`. */
      const ranked = ({ filters, search, total }: Asked) => {
        const found = foundMeetings(db, filters, search)
        if (search === undefined || total > rankedAtMost) {
          return db`select id, body_id, date, 0::float8 as score from ${found} found`
        }
        // What a meeting is about outweighs how often the words are said, which counts by its logarithm.
        return db`
          select found.id, found.body_id, found.date,
            8 * ts_rank(found.named, ${anyOf(db, wantedWords(search))}) + ln(1 + coalesce(said.times, 0)) as score
          from ${found} found
          left join (
            select c.meeting_id, count(*) as times from transcript_chunk c
            where c.words @@ (${togetherOf(db, search)}) group by 1
          ) said on said.meeting_id = found.id`
      }

      const withMatches = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, search: SearchQuery | undefined) {
        const cards: ReadonlyArray<MeetingCard> = yield* cardsOf(db, ids)
        if (search === undefined) return cards
        const matches = yield* matchesOf(db, cards, search)
        return cards.map((card) => ({ ...card, matches: matches.get(card.id) ?? [] }))
      })

      const pageOf = Effect.fnUntraced(function* (query: BrowseQuery, asked: Asked) {
        const size = query.page_size ?? defaults.page_size
        const skip = ((query.page ?? defaults.page) - 1) * size
        if (skip >= asked.total) return []
        const rows = yield* db<{ id: string }>`
          select id from (${ranked(asked)}) fit order by score desc, date desc, id limit ${size} offset ${skip}`
        return yield* withMatches(
          rows.map(({ id }) => id),
          asked.search
        )
      })

      const groupsOf = Effect.fnUntraced(function* (query: BrowseQuery, asked: Asked) {
        const size = query.page_size ?? defaults.page_size
        const rows = yield* db<{ id: string; total: number }>`
          with fit as materialized (${ranked(asked)}),
          body_total as (
            select fit.body_id, count(*)::int as total from fit group by 1
            order by total desc, body_id limit ${size} offset ${((query.page ?? defaults.page) - 1) * size}
          )
          select id, total from (
            select fit.id, t.total, fit.body_id,
              row_number() over (partition by fit.body_id order by fit.score desc, fit.date desc, fit.id) as turn
            from fit join body_total t using (body_id)
          ) numbered
          where turn <= ${query.per_group ?? defaults.per_group}
          order by total desc, body_id, turn`
        const totals = new Map(rows.map((row) => [row.id, row.total]))
        const cards = yield* withMatches([...totals.keys()], asked.search)
        return [...Map.groupBy(cards, (card) => card.body.slug).values()].flatMap((meetings) => {
          const first = meetings[0]
          return first === undefined
            ? []
            : [{ agency: first.body, total: totals.get(first.id) ?? meetings.length, meetings }]
        })
      })

      const ask = Effect.fnUntraced(function* (query: BrowseQuery) {
        const filters = activeFilters(query)
        const count = (search: SearchQuery | undefined) =>
          Effect.map(countFacets(db, filters, search), (counts) => ({ filters, search, ...counts }))
        if (query.q === undefined || query.q.trim() === "") return yield* count(undefined)
        const search = parseSearchQuery(query.q)
        const asked = yield* count(search)
        if (asked.total > 0) return asked
        const corrected = yield* correctSpelling(db, search)
        return corrected === undefined ? asked : yield* count(corrected)
      })

      const search = Effect.fn("Browse.search")(
        function* (query: BrowseQuery) {
          const asked = yield* ask(query)
          return {
            total: asked.total,
            page: query.page ?? defaults.page,
            page_size: query.page_size ?? defaults.page_size,
            meetings: yield* pageOf(query, asked),
            facets: asked.facets,
            ...(query.group_by === undefined ? {} : { groups: yield* groupsOf(query, asked) })
          }
        },
        withinBudget,
        dbDies
      )

      const found = Effect.fn("Browse.found")(
        function* (query: BrowseQuery) {
          const { filters, search } = yield* ask(query)
          const rows = yield* db<{ id: MeetingId }>`
            select id from ${foundMeetings(db, filters, search)} found order by date desc, id`
          return rows.map(({ id }) => id)
        },
        withinBudget,
        dbDies
      )

      return { search, found }
    })
  )
}

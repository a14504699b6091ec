import { Context, Effect, Layer } from "effect"
import { dbDies, ReadDb } from "../../../layers/db.ts"
import type { BrowsePage, BrowseQuery } from "../../../schema/browse.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { cardsOf } from "../meetings/cards.ts"
import { bodyConditions, scopeCondition, yearCondition } from "./browse-filters.ts"
import { countFacets } from "./facets.ts"
import { matchesOf } from "./matches.ts"
import { parseSearchQuery, type SearchQuery, wantedWords } from "./search-query.ts"
import { anyOf, fits, togetherOf } from "./search-sql.ts"
import { correctSpelling } from "./spelling.ts"

const defaults = { page: 1, page_size: 20, per_group: 3 }

/** Past this many meetings relevance no longer tells them apart, and the newest come first. */
const rankedAtMost = 5000

/** Faceted search over the held meetings (spec 4.3). */
export class Browse extends Context.Service<
  Browse,
  {
    /**
     * One page of what fits, with facets counted each under all the other filters. With `group_by` also the bodies that
     * held it, most first, paged alike, each with its first `per_group` meetings. With `q` the best come first and tell
     * where it was found; a query that fits nothing at all is tried once more with its misspelt names mended.
     */
    readonly search: (query: BrowseQuery) => Effect.Effect<BrowsePage>
    /** All that fits, as `search` would page it, newest first and whatever the page. */
    readonly found: (query: BrowseQuery) => Effect.Effect<ReadonlyArray<MeetingId>>
  }
>()("civic-record/Browse") {
  static readonly layer = Layer.effect(
    Browse,
    Effect.gen(function* () {
      const db = yield* ReadDb

      /** The bodies under every filter, as a condition on a body's id. */
      const inBodies = (query: BrowseQuery, column: string) => {
        const on = bodyConditions(db, query)
        return db`${db.literal(column)} in (select b.id from body b where ${db.and([
          scopeCondition(db, query),
          ...Object.values(on)
        ])})`
      }

      const isNarrowed = ({
        q: _,
        page: _1,
        page_size: _2,
        group_by: _3,
        per_group: _4,
        year: _5,
        ...rest
      }: BrowseQuery) => Object.values(rest).some((value) => value !== undefined && value.length > 0)

      /** Rows of `id, body_id, date, score` of all that fits. */
      const ranked = (query: BrowseQuery, search: SearchQuery | undefined, total: number) => {
        const narrowed = (column: string) => (isNarrowed(query) ? inBodies(query, column) : db`true`)
        if (search === undefined) {
          return db`
            select m.id, m.body_id, m.date, 0::float8 as score from meeting m
            where m.status = 'held' and ${yearCondition(db, query, "m.year")} and ${narrowed("m.body_id")}`
        }
        const where = db`${fits(db, search)} and ${yearCondition(db, query, "s.year")} and ${narrowed("s.body_id")}`
        if (total > rankedAtMost) {
          return db`select s.meeting_id as id, s.body_id, s.date, 0::float8 as score from meeting_search s where ${where}`
        }
        // What a meeting is about outweighs how often it was said, which counts with its logarithm.
        return db`
          select s.meeting_id as id, s.body_id, s.date,
            8 * ts_rank(s.named, ${anyOf(db, wantedWords(search))}) + ln(1 + coalesce(said.times, 0)) as score
          from meeting_search s
          left join (
            select c.meeting_id, count(*) as times from transcript_chunk c
            where c.words @@ (${togetherOf(db, search)}) group by 1
          ) said using (meeting_id)
          where ${where}`
      }

      const withMatches = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, search: SearchQuery | undefined) {
        const cards: ReadonlyArray<MeetingCard> = yield* cardsOf(db, ids)
        if (search === undefined) return cards
        const matches = yield* matchesOf(db, cards, search)
        return cards.map((card) => ({ ...card, matches: matches.get(card.id) ?? [] }))
      })

      const pageOf = Effect.fnUntraced(function* (query: BrowseQuery, search: SearchQuery | undefined, total: number) {
        const size = query.page_size ?? defaults.page_size
        const skip = ((query.page ?? defaults.page) - 1) * size
        if (skip >= total) return []
        const rows = yield* db<{ id: string }>`
          select id from (${ranked(query, search, total)}) fit order by score desc, date desc, id limit ${size} offset ${skip}`
        return yield* withMatches(
          rows.map(({ id }) => id),
          search
        )
      })

      const groupsOf = Effect.fnUntraced(function* (
        query: BrowseQuery,
        search: SearchQuery | undefined,
        total: number
      ) {
        const size = query.page_size ?? defaults.page_size
        const rows = yield* db<{ id: string; total: number }>`
          with fit as materialized (${ranked(query, search, total)}),
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
        const cards = yield* withMatches([...totals.keys()], search)
        return [...Map.groupBy(cards, (card) => card.body.slug).values()].flatMap((meetings) => {
          const first = meetings[0]
          return first === undefined
            ? []
            : [{ agency: first.body, total: totals.get(first.id) ?? meetings.length, meetings }]
        })
      })

      const searchOf = Effect.fnUntraced(function* (query: BrowseQuery) {
        if (query.q === undefined || query.q.trim() === "")
          return { search: undefined, ...(yield* countFacets(db, query, undefined)) }
        const search = parseSearchQuery(query.q)
        const counted = yield* countFacets(db, query, search)
        if (counted.total > 0) return { search, ...counted }
        const mended = yield* correctSpelling(db, search)
        return mended === undefined
          ? { search, ...counted }
          : { search: mended, ...(yield* countFacets(db, query, mended)) }
      })

      const search = Effect.fn("Browse.search")(function* (query: BrowseQuery) {
        const { search, total, facets } = yield* searchOf(query)
        return {
          total,
          page: query.page ?? defaults.page,
          page_size: query.page_size ?? defaults.page_size,
          meetings: yield* pageOf(query, search, total),
          facets,
          ...(query.group_by === undefined ? {} : { groups: yield* groupsOf(query, search, total) })
        }
      }, dbDies)

      const found = Effect.fn("Browse.found")(function* (query: BrowseQuery) {
        const { search } = yield* searchOf(query)
        // As if there were too many to rank: nobody asks for the order of relevance.
        const rows = yield* db<{ id: MeetingId }>`
          select id from (${ranked(query, search, Number.POSITIVE_INFINITY)}) fit order by date desc, id`
        return rows.map(({ id }) => id)
      }, dbDies)

      return { search, found }
    })
  )
}

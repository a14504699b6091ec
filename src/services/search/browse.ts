import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Environment } from "../../../layers/config.ts"
import { dbDies, ReadDb, type Sql } from "../../../layers/db.ts"
import { type BrowsePage, type Facets, mostRemoved } from "../../../schema/browse.ts"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { parseSearchQuery, type SearchQuery, writeSearchQuery } from "../../../schema/search-query.ts"
import { cardsOf } from "../meetings/cards.ts"
import { given } from "../meetings/wire.ts"
import { countFacets } from "./facets.ts"
import { type ActiveFilter, activeFilters } from "./filters.ts"
import { foundMeetings } from "./found-meetings.ts"
import { matchesOf } from "./matches.ts"
import { makeQueryBudget, type SearchesBusy, type SearchOverBudget } from "./query-budget.ts"
import { scored } from "./rank.ts"
import { correctSpelling } from "./spelling.ts"

const defaults = { page: 1, page_size: 20, per_group: 3 }

/** Beyond this many meetings, relevance no longer tells them apart, and the newest come first. */
const rankedAtMost = 5000

type Sort = NonNullable<BrowseQuery["sort"]>

/** A query once it has been read and counted. */
interface Asked {
  readonly filters: ReadonlyArray<ActiveFilter>
  readonly search: SearchQuery | undefined
  readonly sort: Sort
  readonly total: number
  readonly facets: Facets
  /** The words that were searched for in place of misspelled ones, as a caller would write them. */
  readonly corrected?: string
}

/** The order of rows `fit` with the columns of `ranked`; an id breaks ties. */
const orders: { readonly [Name in Sort]: (db: Sql) => Statement.Fragment } = {
  relevance: (db) => db`fit.score desc, fit.date desc, fit.id`,
  newest: (db) => db`fit.date desc, fit.id`,
  oldest: (db) => db`fit.date, fit.id`,
  updated: (db) => db`(select m.updated_at from meeting m where m.id = fit.id) desc, fit.id`
}

/** Faceted search over the held meetings (spec 4.3). */
export class Browse extends Context.Service<
  Browse,
  {
    /**
     * One page of the meetings that fit, and each facet counted under all the other filters. With `group_by`, one page
     * of the bodies that held them, those with the most first, each with its first `per_group` meetings. With `q`,
     * meetings say where it was found, and the best matches come first; a query that fits nothing is tried again with
     * misspelled words mended, unless it is to be taken exactly.
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
      const { baseUrl } = yield* Environment
      const withinBudget = yield* makeQueryBudget(db)

      /** Every meeting that fits, as rows `id, body_id, date, score`. */
      const ranked = ({ filters, search, sort, total }: Asked) => {
        const found = foundMeetings(db, filters, search)
        if (search === undefined || sort !== "relevance" || total > rankedAtMost) {
          return db`select id, body_id, date, 0::float8 as score from ${found} found`
        }
        return scored(db, found, search)
      }

      const withMatches = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, search: SearchQuery | undefined) {
        const cards: ReadonlyArray<MeetingCard> = yield* cardsOf(db, ids, baseUrl)
        if (search === undefined) return cards
        const matches = yield* matchesOf(db, cards, search)
        return cards.map((card) => ({ ...card, matches: matches.get(card.id) ?? [] }))
      })

      const pageOf = Effect.fnUntraced(function* (query: BrowseQuery, asked: Asked) {
        const size = query.page_size ?? defaults.page_size
        const skip = ((query.page ?? defaults.page) - 1) * size
        if (skip >= asked.total) return []
        // What changed last of the whole record has an index, which a feed of everything reads.
        const isWholeRecord = asked.search === undefined && asked.filters.length === 0
        const rows = yield* isWholeRecord && asked.sort === "updated"
          ? db<{ id: string }>`
              select id from meeting where status = 'held' order by updated_at desc, id limit ${size} offset ${skip}`
          : db<{ id: string }>`
              select id from (${ranked(asked)}) fit order by ${orders[asked.sort](db)} limit ${size} offset ${skip}`
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
              row_number() over (partition by fit.body_id order by ${orders[asked.sort](db)}) as turn
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

      /** The number of bodies that held a meeting that fits. */
      const groupsTotal = Effect.fnUntraced(function* ({ filters, search }: Asked) {
        const [row] = yield* db<{ groups: number }>`
          select count(distinct body_id)::int as groups from ${foundMeetings(db, filters, search)} found`
        return row?.groups ?? 0
      })

      const removedSince = Effect.fnUntraced(function* (since: string) {
        const rows = yield* db<{ id: MeetingId; removed_at: Date }>`
          select id, removed_at from removed_meeting where removed_at >= ${since}::timestamptz
          order by removed_at, id limit ${mostRemoved}`
        return rows.map(({ id, removed_at }) => ({ id, removed_at: removed_at.toISOString() }))
      })

      const ask = Effect.fnUntraced(function* (query: BrowseQuery) {
        const filters = activeFilters(query)
        const isSearch = query.q !== undefined && query.q.trim() !== ""
        const sort = query.sort ?? (isSearch ? "relevance" : "newest")
        const count = (search: SearchQuery | undefined) =>
          Effect.map(countFacets(db, filters, search), (counts) => ({ filters, search, sort, ...counts }))
        if (!isSearch) return yield* count(undefined)
        const search = parseSearchQuery(query.q)
        const asked = yield* count(search)
        if (asked.total > 0 || query.exact === "1") return asked
        const corrected = yield* correctSpelling(db, search)
        if (corrected === undefined) return asked
        return { ...(yield* count(corrected)), corrected: writeSearchQuery(corrected) }
      })

      const search = Effect.fn("Browse.search")(
        function* (query: BrowseQuery) {
          const asked: Asked = yield* ask(query)
          const groups = query.group_by === undefined ? undefined : yield* groupsOf(query, asked)
          return {
            total: asked.total,
            page: query.page ?? defaults.page,
            page_size: query.page_size ?? defaults.page_size,
            ...given("corrected_query", asked.corrected),
            meetings: groups?.flatMap(({ meetings }) => meetings) ?? (yield* pageOf(query, asked)),
            facets: asked.facets,
            ...(groups === undefined ? {} : { groups, groups_total: yield* groupsTotal(asked) }),
            ...(query.updated_since === undefined ? {} : { removed: yield* removedSince(query.updated_since) })
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

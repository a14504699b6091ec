import { Context, Data, Duration, Effect, Layer, Metric, Option, Schema, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { Environment } from "../../../layers/config.ts"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { searchSeconds } from "../../../layers/telemetry/metrics.ts"
import { type BrowsePage, mostRemoved } from "../../../schema/browse.ts"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { MeetingId } from "../../../schema/primitives.ts"
import { parseSearchQuery, type SearchQuery, writeSearchQuery } from "../../../schema/search-query.ts"
import { cardsOf } from "../meetings/cards.ts"
import { given } from "../wire.ts"
import { BodyDirectory } from "./bodies.ts"
import { type Counted, chooseBodies, countFacets } from "./facets.ts"
import { activeFilters } from "./filters.ts"
import type { Found, Narrowed, Wanted } from "./found.ts"
import { findInSql } from "./found-in-sql.ts"
import { matchesOf } from "./matches.ts"
import { excessOf, makeQueryBudget, type SearchesBusy, type SearchOverBudget } from "./query-budget.ts"
import { SearchIndex } from "./search-index.ts"
import { correctSpelling, countInSql, mostDoubted } from "./spelling.ts"
import { withSpellings } from "./spellings.ts"

const defaults = { page: 1, page_size: 20, per_group: 3 }

/** A query once it has been read. */
interface Asked extends Wanted {
  readonly found: Found
  readonly narrowed: Narrowed
  /** Counted once, for whoever asks first. */
  readonly counted: Effect.Effect<Counted, SqlError.SqlError>
  /** The words that were searched for in place of misspelled ones, as a caller would write them. */
  readonly corrected?: string
}

/** The index cannot answer alone. */
class NeedsSql extends Data.TaggedError("NeedsSql") {}

/** How meetings are found, and how a search that fits none is mended. */
interface Means<E> {
  readonly find: (wanted: Wanted) => Effect.Effect<Found, E | SqlError.SqlError, Scope.Scope>
  readonly mend: (search: SearchQuery) => Effect.Effect<SearchQuery | undefined, E | SqlError.SqlError>
}

const removedRows = rowsBy(Schema.Struct({ id: MeetingId, removed_at: Schema.Date }))

/** Faceted search over the held meetings (spec 4.3). */
export class Browse extends Context.Service<
  Browse,
  {
    /**
     * One page of the meetings that fit, and each facet counted under all the other filters. With `group_by`, one page
     * of the bodies that held them, those with the most first, each with its first `per_group` meetings. With `q`,
     * meetings say where it was found, and the best matches come first; a query that fits nothing, or few by words that
     * were never written, is tried again with misspelled words mended, unless it is to be taken exactly.
     */
    readonly search: (query: BrowseQuery) => Effect.Effect<BrowsePage, SearchOverBudget | SearchesBusy>
    /** All that fits, as `search` would page it, newest first and whatever the page. */
    readonly found: (query: BrowseQuery) => Effect.Effect<ReadonlyArray<MeetingId>, SearchOverBudget | SearchesBusy>
  }
>()("civic-record/Browse") {
  static readonly layerNoDeps = Layer.effect(
    Browse,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const directory = yield* BodyDirectory
      const index = yield* SearchIndex
      const { baseUrl } = yield* Environment
      const withinBudget = yield* makeQueryBudget(db)

      const withMatches = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, { found, search }: Asked) {
        const ofCards = cardsOf(db, ids, baseUrl)
        if (search === undefined) return { cards: yield* ofCards, isOtherwise: () => false }
        const [cards, { of, isOtherwise }] = yield* Effect.all(
          [ofCards, Effect.flatMap(found.passages(ids), (passages) => matchesOf(db, ids, search, passages))],
          { concurrency: 2 }
        )
        return { cards: cards.map((card): MeetingCard => ({ ...card, matches: of(card) })), isOtherwise }
      })

      const pageOf = Effect.fnUntraced(function* (query: BrowseQuery, asked: Asked) {
        const { found, narrowed, sort } = asked
        const limit = query.page_size ?? defaults.page_size
        const offset = ((query.page ?? defaults.page) - 1) * limit
        if (offset >= narrowed.total) return []
        const { cards, isOtherwise } = yield* withMatches(yield* found.page(narrowed, { offset, limit }), asked)
        // Neither index nor vector knows a word's forms apart, or stop words. The texts do, but only those of one page are read.
        return sort === "relevance" ? cards.toSorted((a, b) => Number(isOtherwise(a)) - Number(isOtherwise(b))) : cards
      })

      const groupsOf = Effect.fnUntraced(function* (query: BrowseQuery, asked: Asked) {
        const { found, narrowed, counted } = asked
        const size = query.page_size ?? defaults.page_size
        const skip = ((query.page ?? defaults.page) - 1) * size
        const { total: groups_total, part } = (yield* counted).groups({ offset: skip, limit: size })
        const firsts = yield* found.groups(narrowed, {
          bodies: part.map(({ body }) => body),
          perGroup: query.per_group ?? defaults.per_group
        })
        const ids = part.map(({ body }) => firsts.get(body) ?? [])
        const { cards: all } = yield* withMatches(ids.flat(), asked)
        const cards = new Map(all.map((card) => [card.id as string, card]))
        const groups = part.flatMap(({ total }, at) => {
          const meetings = (ids[at] ?? []).flatMap((id) => cards.get(id) ?? [])
          return meetings[0] === undefined ? [] : [{ agency: meetings[0].body, total, meetings }]
        })
        return { groups, groups_total }
      })

      const removedSince = Effect.fnUntraced(function* (since: string) {
        const rows = yield* removedRows(db`
          select id, removed_at from removed_meeting where removed_at >= ${since}::timestamptz
          order by removed_at, id limit ${mostRemoved}`)
        return rows.map(({ id, removed_at }) => ({ id, removed_at: removed_at.toISOString() }))
      })

      const orSql = <A>(ofIndex: Option.Option<A>) =>
        Option.match(ofIndex, { onNone: () => Effect.fail(new NeedsSql()), onSome: Effect.succeed })
      const inIndex: Means<NeedsSql> = {
        find: (wanted) => Effect.flatMap(index.find(db, wanted), orSql),
        mend: (search) => correctSpelling(db, search, (queries) => Effect.flatMap(index.count(db, queries), orSql))
      }
      const anyhow: Means<never> = {
        find: (wanted) =>
          Effect.map(
            index.find(db, wanted),
            Option.getOrElse(() => findInSql(db, wanted))
          ),
        mend: (search) => correctSpelling(db, search, countInSql(db))
      }

      /** An answer of the index needs no budget, because it keeps nobody from the database. */
      const answered =
        <A>(answer: <E>(query: BrowseQuery, means: Means<E>) => Effect.Effect<A, E | SqlError.SqlError, Scope.Scope>) =>
        (query: BrowseQuery) => {
          const withSql = withinBudget(Effect.scoped(answer(query, anyhow)), query)
          if (excessOf(query.q ?? "") !== undefined) return dbDies(withSql)
          return Effect.scoped(answer(query, inIndex)).pipe(
            Effect.timed,
            Effect.flatMap(([took, answer]) =>
              (query.q ?? "").trim() === ""
                ? Effect.succeed(answer)
                : Effect.as(Metric.update(searchSeconds, Duration.toSeconds(took)), answer)
            ),
            Effect.catchTag("NeedsSql", () => withSql),
            dbDies
          )
        }

      const find = Effect.fnUntraced(function* <E>(wanted: Wanted, means: Means<E>) {
        const found = yield* means.find(wanted)
        const bodies = yield* directory.current(db)
        const choice = chooseBodies(bodies, wanted.filters)
        const counted = yield* Effect.cached(Effect.map(found.cells, (cells) => countFacets(cells, choice)))
        const total = found.total === undefined ? (yield* counted).total : yield* found.total(choice.bodies)
        return { ...wanted, found, narrowed: { total, bodies: choice.bodies }, counted }
      })

      const ask = Effect.fnUntraced(function* <E>(query: BrowseQuery, means: Means<E>) {
        const filters = activeFilters(query)
        const isSearch = query.q !== undefined && query.q.trim() !== ""
        const sort = query.sort ?? (isSearch ? "relevance" : "newest")
        if (!isSearch) return yield* find({ filters, search: undefined, sort }, means)
        const typed = parseSearchQuery(query.q)
        const asked = yield* find({ filters, search: withSpellings(typed), sort }, means)
        if (asked.narrowed.total > mostDoubted || query.exact === "1") return asked
        const corrected = yield* means.mend(typed)
        if (corrected === undefined) return asked
        const mended = yield* find({ filters, search: withSpellings(corrected), sort }, means)
        return { ...mended, corrected: writeSearchQuery(corrected) }
      })

      const page = Effect.fnUntraced(function* <E>(query: BrowseQuery, means: Means<E>) {
        const asked: Asked = yield* ask(query, means)
        const listed =
          query.group_by === undefined
            ? Effect.map(pageOf(query, asked), (meetings) => ({ meetings }))
            : Effect.map(groupsOf(query, asked), (grouped) => ({
                meetings: grouped.groups.flatMap(({ meetings }) => meetings),
                ...grouped
              }))
        // Facets are counted while the database looks up the cards.
        const counting = Effect.map(asked.counted, ({ facets }) => facets())
        const [{ meetings, ...grouped }, facets] = yield* Effect.all([listed, counting], { concurrency: 2 })
        return {
          total: asked.narrowed.total,
          page: query.page ?? defaults.page,
          page_size: query.page_size ?? defaults.page_size,
          ...given("corrected_query", asked.corrected),
          meetings,
          facets,
          ...grouped,
          ...(query.updated_since === undefined ? {} : { removed: yield* removedSince(query.updated_since) })
        }
      })

      const all = Effect.fnUntraced(function* <E>(query: BrowseQuery, means: Means<E>) {
        const { found, narrowed } = yield* ask(query, means)
        return yield* found.all(narrowed)
      })

      return {
        search: Effect.fn("Browse.search")(answered(page)),
        found: Effect.fn("Browse.found")(answered(all))
      }
    })
  )

  static readonly layer = Browse.layerNoDeps.pipe(Layer.provide(BodyDirectory.layer))

  /** The same on the primary, with the same directory. */
  static readonly fromPrimary = ReadDb.fromPrimary(Browse.layerNoDeps).pipe(Layer.provide(BodyDirectory.layer))
}

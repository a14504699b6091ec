import { Context, Effect, Layer, Option } from "effect"
import type { SqlError } from "effect/sql"
import { Environment } from "../../../layers/config/config.ts"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import { measured, searchSeconds } from "../../../layers/telemetry/metrics.ts"
import type { BrowsePage, Facets } from "../../../schema/browse.ts"
import type { AskedFacet, BrowseQuery } from "../../../schema/browse-query.ts"
import { type Cursor, cursorOf, cursorText } from "../../../schema/cursor.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { type Conjunction, parseSearchQuery, withUnwritten } from "../../../schema/search-query.ts"
import { anonymous, type Viewer } from "../../../schema/viewer.ts"
import { given } from "../wire.ts"
import { makeMended } from "./corrections/mended.ts"
import { mostDoubted } from "./corrections/spelling.ts"
import { BodyDirectory } from "./found/bodies.ts"
import type { Finder, Found, Wanted } from "./found/found.ts"
import { findBy, finderInSql, findInSql } from "./found/found-in-sql.ts"
import { completeAsOf, misfitOf, pageAfter, removedSince, type UnfitParameter } from "./found/listing.ts"
import { makeResults, type Results, wantedOf } from "./found/results.ts"
import { askedFacet } from "./found/who-facets.ts"
import { type MaySearched, shownCards } from "./matches/shown-cards.ts"
import { makeMeantCards } from "./meaning/meant-cards.ts"
import { asSearched } from "./query/as-searched.ts"
import { namedBy } from "./query/named-by.ts"
import { excessOf, makeQueryBudget, type SearchesBusy, SearchLimits, SearchOverBudget } from "./query/query-budget.ts"
import { defaults, weightOf } from "./query/weight.ts"
import { SearchIndex } from "./search-index.ts"

/** Below this weight, a search in the index counts as a plain read, and needs no admission. */
const plainWeight = 4000

/** Which page of a list is wanted, and what the list is complete as of; with a cursor, the page after it. */
interface Turn {
  readonly page: number
  readonly as_of: string
  readonly cursor?: Cursor
  readonly viewer: Viewer
  /** The words as they were typed. */
  readonly typed: string
}

/** The search, in words as typed or corrected, and who asks. */
const searchedBy = ({ q = "" }: BrowseQuery, { search, found, corrected }: Results, { viewer }: Turn): MaySearched => ({
  search,
  found,
  words: corrected ?? q.trim().replace(/\s+/gu, " "),
  viewer
})

/** Faceted search over the held meetings, and lists of those of any status (spec 4.3). */
export class Browse extends Context.Service<
  Browse,
  {
    /**
     * One page of the matching meetings, and each facet counted under all the other filters. With `group_by`, one page
     * of the bodies that held them, those with the most first, each with its first `per_group` meetings. With `q`,
     * meetings show where it matched, with what is said there if the viewer may read it, and the best matches come
     * first; a query that matches nothing, or little by words that were never written, is retried with misspellings
     * corrected, unless `exact` is set. A date among the words of `q` is a filter (`dates`), unless `exact` is set.
     * Where words find few, `by_meaning` has meetings that are about what was typed, if there is a model for it.
     */
    readonly search: (
      query: BrowseQuery,
      viewer?: Viewer
    ) => Effect.Effect<BrowsePage, SearchOverBudget | SearchesBusy | UnfitParameter>
    /** Every match, as paged by `search`, but always newest first. */
    readonly found: (query: BrowseQuery) => Effect.Effect<ReadonlyArray<MeetingId>, SearchOverBudget | SearchesBusy>
    /**
     * What `answer` makes of the filters' results and of other searches under them, all in one state of the record, and
     * within the budget for searches. `search` takes words as they are spelled.
     */
    readonly compared: <A>(
      filters: BrowseQuery,
      answer: (
        all: Results,
        search: (filters: BrowseQuery) => Effect.Effect<Results, SqlError.SqlError>
      ) => Effect.Effect<A, SqlError.SqlError>
    ) => Effect.Effect<A, SearchOverBudget | SearchesBusy>
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

      const withMatches = shownCards(db, baseUrl, (yield* SearchLimits).page)

      const pageOf = Effect.fnUntraced(function* (query: BrowseQuery, results: Results, turn: Turn) {
        const { page, as_of, cursor } = turn
        const { found, narrowed, sort } = results
        const limit = query.page_size ?? defaults.page_size
        const offset = (page - 1) * limit
        const ids =
          cursor !== undefined
            ? yield* pageAfter(db, results, cursor, limit)
            : offset >= narrowed.total
              ? []
              : yield* found.page(narrowed, { offset, limit })
        const { cards, isOtherwise } = yield* withMatches(ids, searchedBy(query, results, turn))
        // Neither index nor vector distinguishes the forms of a word, or has stop words. The texts do, but only those
        // of one page are read.
        if (sort === "relevance") {
          return { meetings: cards.toSorted((a, b) => Number(isOtherwise(a)) - Number(isOtherwise(b))) }
        }
        const last = ids.length === limit ? cards.at(-1) : undefined
        if (last === undefined) return { meetings: cards }
        const at = { id: last.id, page, as_of }
        const after = sort === "updated" ? { sort, key: last.updated_at, ...at } : { sort, key: last.date, ...at }
        return { meetings: cards, after: cursorText(after) }
      })

      const groupsOf = Effect.fnUntraced(function* (query: BrowseQuery, results: Results, turn: Turn) {
        const { found, narrowed, counted } = results
        const size = query.page_size ?? defaults.page_size
        const skip = ((query.page ?? defaults.page) - 1) * size
        const { total: groups_total, part } = (yield* counted).groups({ offset: skip, limit: size })
        const firsts = yield* found.groups(narrowed, {
          bodies: part.map(({ body }) => body),
          perGroup: query.per_group ?? defaults.per_group
        })
        const ids = part.map(({ body }) => firsts.get(body) ?? [])
        const { cards: all } = yield* withMatches(ids.flat(), searchedBy(query, results, turn), 2)
        const cards = new Map(all.map((card) => [card.id as string, card]))
        const groups = part.flatMap(({ total }, at) => {
          const meetings = (ids[at] ?? []).flatMap((id) => cards.get(id) ?? [])
          return meetings[0] === undefined ? [] : [{ agency: meetings[0].body, total, meetings }]
        })
        return { groups, groups_total }
      })

      const resultsOf = makeResults(db, directory)
      const { correctedOf, offeredOf, otherwiseOf, alsoSaid, forgivenOf, eachWord } = makeMended(db, resultsOf)

      /** The results of another search in the same state of the record; by SQL, if the index cannot express it. */
      const resultsIn = Effect.fnUntraced(function* (wanted: Wanted, finder: Finder) {
        return yield* resultsOf(wanted, yield* findBy(db, finder, wanted))
      })

      const meantBy = yield* makeMeantCards(db, baseUrl, resultsIn)

      /** A facet that is asked for, counted under all filters but its own. */
      const askedFor = Effect.fnUntraced(function* (name: AskedFacet, results: Results, finder: Finder) {
        const own = results.filters.find((filter) => filter.name === name)
        if (own === undefined) return yield* askedFacet(db, name, yield* results.found.selected(results.narrowed), [])
        const wanted: Wanted = { ...results, filters: results.filters.filter((filter) => filter !== own) }
        const { found, narrowed } = yield* resultsIn(wanted, finder)
        return yield* askedFacet(db, name, yield* found.selected(narrowed), own.values)
      })

      /**
       * Decides where a query runs, and runs it there once: in the index if it is current and can express the query,
       * else in SQL. A search that the index answers cheaply holds no database connection for long, and needs no
       * budget; neither does one in SQL that reads precomputed counts. `weigh` is the weight of its page.
       */
      const answered = <A>(
        answer: (
          query: BrowseQuery,
          results: Results,
          finder: Finder
        ) => Effect.Effect<A, SqlError.SqlError | SearchOverBudget>,
        weigh: typeof weightOf
      ) =>
        Effect.fnUntraced(
          function* (query: BrowseQuery, unwritten: Pick<Conjunction, "helpful" | "typed">) {
            const { q = "" } = query
            const excess = excessOf(q)
            if (excess !== undefined) return yield* new SearchOverBudget({ excess })
            const typed = q.trim() === "" ? undefined : withUnwritten(parseSearchQuery(q), unwritten)
            const wanted = wantedOf(query, typed)
            const run = Effect.fnUntraced(function* (finder: Finder, found: Found) {
              const results = yield* resultsOf(wanted, found)
              const isSure = typed === undefined || results.narrowed.total > mostDoubted || query.exact === "1"
              return yield* answer(query, isSure ? results : yield* correctedOf(typed, results, finder), finder)
            })
            const weight = weigh(query, typed)
            const readsCounts = typed === undefined && !wanted.filters.some(({ of }) => of === "meeting")
            const needsSql = (query.group_by !== undefined && wanted.sort === "updated") || query.facet !== undefined
            const admitted = <B, E, R>(search: Effect.Effect<B, E, R>, isInSql: boolean) =>
              isInSql || weight >= plainWeight
                ? withinBudget(search, { weight, hasWords: typed !== undefined })
                : search
            const searched = Effect.gen(function* () {
              const opened = yield* index.open(db)
              const found = Option.isSome(opened) ? yield* opened.value.find(wanted) : Option.none<Found>()
              const inSql = admitted(run(finderInSql(db), findInSql(db, wanted)), !readsCounts || needsSql)
              if (Option.isNone(opened) || Option.isNone(found)) return yield* inSql
              return yield* index.orWithout(admitted(run(opened.value, found.value), needsSql), inSql)
            })
            return yield* typed === undefined ? searched : measured(searchSeconds)(searched)
          },
          Effect.scoped,
          dbDies
        )

      const pageAt = (turn: Turn) =>
        Effect.fnUntraced(function* (query: BrowseQuery, strict: Results, finder: Finder) {
          const results = yield* forgivenOf(query, yield* otherwiseOf(query, strict, finder), finder)
          const listed =
            query.group_by === undefined
              ? pageOf(query, results, turn)
              : Effect.map(groupsOf(query, results, turn), (grouped) => ({
                  meetings: grouped.groups.flatMap(({ meetings }) => meetings),
                  ...grouped
                }))
          // Facets are counted while the database loads the cards.
          const counting = Effect.all([
            Effect.map(results.counted, ({ facets }) => facets()),
            Effect.forEach([...new Set(query.facet)], (name) =>
              Effect.map(askedFor(name, results, finder), (values) => [name, values] as const)
            )
          ]).pipe(Effect.map(([facets, asked]): Facets => ({ ...facets, ...Object.fromEntries(asked) })))
          const [{ meetings, ...rest }, facets] = yield* Effect.all([listed, counting], { concurrency: 2 })
          return {
            total: results.narrowed.total,
            page: turn.page,
            page_size: query.page_size ?? defaults.page_size,
            as_of: turn.as_of,
            ...given("corrected_query", results.corrected),
            ...given("dropped", results.dropped),
            ...given("other_words", results.hasOthers),
            ...given("also_said", yield* alsoSaid(query, strict, finder)),
            ...given("did_you_mean", yield* offeredOf(query, strict, finder)),
            ...given("named", yield* namedBy(db, query)),
            ...given("words", results.narrowed.total > 0 ? undefined : yield* eachWord(query, results, finder)),
            meetings,
            ...given("by_meaning", turn.page > 1 ? undefined : yield* meantBy(query, results, finder, turn, meetings)),
            facets,
            ...rest,
            ...(query.updated_since === undefined ? {} : { removed: yield* removedSince(db, query.updated_since) })
          }
        })

      // An earlier instant is as right, so the database is not asked for each page.
      const asOf = yield* Effect.cachedWithTTL(completeAsOf(db), "1 second")

      const search = Effect.fn("Browse.search")(function* (asked: BrowseQuery, viewer: Viewer = anonymous) {
        const { query, typed, dates, dropped, unwritten } = yield* asSearched(db, asked)
        const misfit = misfitOf(query)
        if (misfit !== undefined) return yield* misfit
        const cursor = Option.getOrUndefined(Option.flatMap(Option.fromUndefinedOr(query.after), cursorOf))
        const turn: Turn =
          cursor === undefined
            ? { page: query.page ?? defaults.page, as_of: yield* dbDies(asOf), viewer, typed }
            : { page: cursor.page + 1, as_of: cursor.as_of, cursor, viewer, typed }
        const sorted = { ...query, ...given("sort", query.sort ?? cursor?.sort) }
        const page = yield* answered(pageAt(turn), weightOf)(sorted, unwritten)
        const letGo = [...dropped, ...(page.dropped ?? [])]
        return { ...page, ...given("dates", dates), ...given("dropped", letGo.length === 0 ? undefined : letGo) }
      })

      return {
        search,
        found: Effect.fn("Browse.found")(function* (asked: BrowseQuery) {
          const all = answered(
            (_, { found, narrowed }) => found.all(narrowed),
            () => 0
          )
          const { query, unwritten } = yield* asSearched(db, asked)
          return yield* all(query, unwritten)
        }),
        compared: (filters, answer) => {
          const wantedBy = ({ q = "", ...query }: BrowseQuery) =>
            wantedOf(query, q.trim() === "" ? undefined : parseSearchQuery(q))
          return answered(
            (_, all, finder) => answer(all, (query) => resultsIn(wantedBy(query), finder)),
            () => plainWeight
          )(filters, {})
        }
      }
    })
  )

  static readonly layer = Browse.layerNoDeps.pipe(Layer.provide(BodyDirectory.layer))

  /** The same on the primary, with the same directory. */
  static readonly fromPrimary = ReadDb.fromPrimary(Browse.layerNoDeps).pipe(Layer.provide(BodyDirectory.layer))
}

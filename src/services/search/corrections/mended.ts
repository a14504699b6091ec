import { Effect } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import {
  type Conjunction,
  parseSearchQuery,
  type SearchQuery,
  writeSearchQuery
} from "../../../../schema/search-query.ts"
import { type OtherWords, otherWordsFor, withOther } from "../../../text/other-words.ts"
import { given } from "../../wire.ts"
import type { Finder, Wanted } from "../found/found.ts"
import type { makeResults, Results } from "../found/results.ts"
import { withSpellings } from "../query/spellings.ts"
import { apart } from "../query/words-apart.ts"
import { offerSpelling } from "./did-you-mean.ts"
import { forgiving, unquoted } from "./let-go.ts"
import { neighborsFor } from "./neighbors.ts"
import { correctSpelling, mostDoubted } from "./spelling.ts"

/** The most other words that are tried, and that are offered. */
const mostOthers = 7
const mostAlso = 4

/** Neighbors are offered where no more meetings match: whoever finds many has found the words of the record. */
const few = 100
const mostNeighbors = 3

/** Whether a correction replaces a word that has other words: `cellphones` is no misspelling. */
const isKnownOtherwise = (typed: SearchQuery, corrected: SearchQuery): boolean =>
  typed.either.some(({ words }, way) =>
    otherWordsFor(words).some(({ at, taken }) =>
      words.slice(at, at + taken).some((word, n) => corrected.either[way]?.words[at + n] !== word)
    )
  )

/** What a search becomes that does not find what is meant as it is typed. */
export const makeMended = (db: ReadSql, resultsOf: ReturnType<typeof makeResults>) => {
  /** The same search for something else, with the same finder; fails if the index cannot express it. */
  const resultsFor = Effect.fnUntraced(function* (search: SearchQuery, { filters, sort }: Results, finder: Finder) {
    const wanted: Wanted = { filters, search, sort }
    return yield* resultsOf(wanted, yield* Effect.fromOption(yield* finder.find(wanted)))
  })

  const counting = (finder: Finder) => (searches: ReadonlyArray<SearchQuery>) =>
    Effect.flatMap(finder.count(searches), (counts) => Effect.fromOption(counts))

  /** The results with misspellings corrected, or else those of the search as typed. */
  const correctedOf = (typed: SearchQuery, results: Results, finder: Finder) =>
    Effect.gen(function* () {
      const search = yield* correctSpelling(db, typed, counting(finder))
      if (search === undefined || isKnownOtherwise(typed, search)) return results
      return {
        ...(yield* resultsFor(withSpellings(search), results, finder)),
        corrected: writeSearchQuery(search)
      } satisfies Results
    }).pipe(
      // A correction that the index cannot express is not tried.
      Effect.catchTag("NoSuchElementError", () => Effect.succeed(results))
    )

  /** What the searcher may have meant by a word that is hardly on record, beside few results. */
  const offeredOf = ({ q = "", exact }: BrowseQuery, results: Results, finder: Finder) =>
    Effect.gen(function* () {
      const { corrected, narrowed } = results
      if (q === "" || exact === "1" || corrected !== undefined || narrowed.total > mostDoubted) return undefined
      const typed = parseSearchQuery(q)
      const meant = yield* offerSpelling(db, typed, narrowed.total, counting(finder))
      if (meant === undefined) return undefined
      const { total } = (yield* resultsFor(withSpellings(meant), results, finder)).narrowed
      return { q: writeSearchQuery(meant), total }
    }).pipe(Effect.catchTag("NoSuchElementError", () => Effect.succeed(undefined)))

  /** The one way in which a search looks for something, unless it has several. */
  const onlyWay = (search: SearchQuery | undefined) => (search?.either.length === 1 ? search.either[0] : undefined)

  /** A search in other words. */
  const inWords =
    (only: Conjunction) =>
    (other: OtherWords): SearchQuery => ({ either: [{ ...only, words: withOther(only.words, other) }] })

  /** The other words for what a search looks for, likeliest first, each as a search of its own; at most 7. */
  const othersOf = (search: SearchQuery | undefined) => {
    const only = onlyWay(search)
    if (only === undefined) return []
    return otherWordsFor(only.words)
      .slice(0, mostOthers)
      .map((other) => ({ isSame: other.isSame, search: inWords(only)(other) }))
  }

  /** The same in words that the record says in the same company as those of a search, if it finds few meetings. */
  const nearOf = Effect.fnUntraced(function* ({ search, narrowed }: Results) {
    const only = onlyWay(search)
    if (only === undefined || narrowed.total > few) return []
    return (yield* neighborsFor(db, only.words)).slice(0, mostNeighbors).map(inWords(only))
  })

  /**
   * The results of a question, or of a search that finds hardly anything, with those for other words that mean the
   * same,
   * if any: who asks a question has not looked for the words of the record.
   */
  const otherwiseOf = ({ exact }: BrowseQuery, results: Results, finder: Finder) =>
    Effect.gen(function* () {
      const { search, narrowed } = results
      const same = othersOf(search).filter(({ isSame }) => isSame)
      const isQuestion = search?.either.some(({ helpful = [] }) => helpful.length > 0) === true
      if (search === undefined || exact === "1" || same.length === 0) return results
      if (narrowed.total > mostDoubted && !isQuestion) return results
      const either = [search, ...same.map((other) => other.search)].flatMap((one) => one.either)
      const wider: Results = {
        ...(yield* resultsFor({ either }, results, finder)),
        ...given("corrected", results.corrected)
      }
      const widerResults: Results = { ...wider, hasOthers: true }
      return wider.narrowed.total > narrowed.total ? widerResults : results
    }).pipe(Effect.catchTag("NoSuchElementError", () => Effect.succeed(results)))

  /**
   * What the record has for other words than those of `asked`: searches that find something. The index counts them in
   * no time; in SQL each would be another search of the record.
   */
  const alsoSaid = Effect.fnUntraced(function* ({ exact }: BrowseQuery, asked: Results, finder: Finder) {
    if (exact === "1" || asked.found.total === undefined) return undefined
    const searches = [...othersOf(asked.search).map(({ search }) => search), ...(yield* nearOf(asked))]
    const distinct = new Map(searches.map((search) => [writeSearchQuery(search), search]))
    const counted = yield* Effect.forEach(distinct.values(), (search) =>
      resultsFor(search, asked, finder).pipe(
        Effect.map(({ narrowed: { total } }) => (total === 0 ? [] : [{ q: writeSearchQuery(search), total }])),
        Effect.catchTag("NoSuchElementError", () => Effect.succeed([]))
      )
    )
    const also = counted.flat().slice(0, mostAlso)
    return also.length === 0 ? undefined : also
  })

  /**
   * The results of a search by relevance whose words no stretch has all together: without the words that the best
   * stretch lacks, those that have the others together first. A quotation that nobody said in a row is its words.
   */
  const forgivenOf = ({ exact }: BrowseQuery, results: Results, finder: Finder) =>
    Effect.gen(function* () {
      const { search, sort, narrowed } = results
      if (exact === "1" || search === undefined || sort !== "relevance") return results
      const open = narrowed.total === 0 ? unquoted(search) : undefined
      const before: Results =
        open === undefined
          ? results
          : { ...(yield* resultsFor(open, results, finder)), corrected: writeSearchQuery(open) }
      const forgiven = yield* forgiving(db, open ?? search, before.found, before.narrowed)
      if (forgiven === undefined) return results
      const { search: kept, dropped } = forgiven
      if (dropped === undefined) return before
      const forgivenResults: Results = {
        ...(yield* resultsFor(kept, results, finder)),
        ...given("corrected", before.corrected),
        dropped
      }
      return forgivenResults
    }).pipe(Effect.catchTag("NoSuchElementError", () => Effect.succeed(results)))

  /** What each word of a search finds by itself; undefined if it has only one, or the index cannot say. */
  const eachWord = Effect.fnUntraced(function* ({ q = "" }: BrowseQuery, results: Results, finder: Finder) {
    const searches = yield* apart(db, q)
    if (searches.length < 2) return undefined
    const totals = yield* Effect.forEach(searches, (search) =>
      resultsFor(withSpellings(search), { ...results, sort: "newest" }, finder).pipe(
        Effect.map(({ narrowed }) => [{ q: writeSearchQuery(search), total: narrowed.total }]),
        Effect.catchTag("NoSuchElementError", () => Effect.succeed([]))
      )
    )
    return totals.flat()
  })

  return { correctedOf, offeredOf, otherwiseOf, alsoSaid, forgivenOf, eachWord }
}

import { Context, Data, Duration, Effect, Metric, Semaphore } from "effect"
import { SqlError } from "effect/sql"
import type { ReadSql } from "../../../layers/db/db.ts"
import { measured, searchSeconds, statementTimeouts } from "../../../layers/telemetry/metrics.ts"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import { mostInSearch, type SearchExcess } from "../../../schema/search-budget.ts"
import { parseSearchQuery } from "../../../schema/search-query.ts"
import { activeFilters } from "./filters.ts"

/**
 * A search exceeded its budget (contract section 2): by its terms or, without `excess`, by its running time. `field` is
 * where the caller wrote the search, if not in `q`.
 */
export class SearchOverBudget extends Data.TaggedError("SearchOverBudget")<{
  readonly excess?: SearchExcess
  /** False if it has filters only. */
  readonly hasWords?: boolean
  readonly field?: "q" | "query"
}> {}

/** The limit of concurrent searches is reached, and none ended in time. */
export class SearchesBusy extends Data.TaggedError("SearchesBusy") {}

const countWords = (text: string): number => (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).length

/** The first limit that the words of a query exceed, if any. */
export const excessOf = (q: string): SearchExcess | undefined => {
  const { either } = parseSearchQuery(q)
  const phrases = either.flatMap((one) => [...one.phrases, ...one.notPhrases])
  const found = {
    words: countWords(
      either.flatMap((one) => [...one.words, ...one.notWords, ...one.scopes.map(({ text }) => text)]).join(" ")
    ),
    phrases: phrases.length,
    words_of_phrase: Math.max(0, ...phrases.map(countWords))
  }
  return (["phrases", "words_of_phrase", "words"] as const)
    .map((what) => ({ what, found: found[what], most: mostInSearch[what] }))
    .find(({ found, most }) => found > most)
}

/** The statement timeout of a search, the most concurrent searches per process, and the longest wait in line. */
export const SearchTimes = Context.Reference("civic-record/SearchTimes", {
  defaultValue: () => ({ statement: Duration.seconds(5), atOnce: 8, wait: Duration.seconds(2) })
})

/**
 * Runs a search within its budget, so that searches do not starve other reads of the database. A query without words or
 * filters on meetings reads precomputed counts, and needs no budget.
 */
export const makeQueryBudget = Effect.fnUntraced(function* (db: ReadSql) {
  const { statement, atOnce, wait } = yield* SearchTimes
  const running = yield* Semaphore.make(atOnce)
  const limited = db.withStatementTimeout(statement)

  return <A, E, R>(search: Effect.Effect<A, E, R>, query: BrowseQuery) =>
    Effect.gen(function* () {
      const { q = "" } = query
      if (q.trim() === "" && !activeFilters(query).some(({ of }) => of === "meeting")) return yield* search
      yield* Semaphore.takeScoped(running, 1).pipe(
        Effect.timeoutOrElse({ duration: wait, orElse: () => Effect.fail(new SearchesBusy()) })
      )
      return yield* measured(searchSeconds)(limited(search))
    }).pipe(
      Effect.scoped,
      Effect.catchIf(
        (error) => SqlError.isSqlError(error) && error.reason._tag === "StatementTimeoutError",
        () =>
          Effect.andThen(
            Metric.update(Metric.withAttributes(statementTimeouts, { during: "search" }), 1),
            Effect.fail(new SearchOverBudget({ hasWords: (query.q ?? "").trim() !== "" }))
          )
      )
    )
})

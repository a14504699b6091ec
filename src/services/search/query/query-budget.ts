import { Context, Data, Duration, Effect, Metric, Semaphore } from "effect"
import { SqlError } from "effect/sql"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { statementTimeouts } from "../../../../layers/telemetry/metrics.ts"
import { mostInSearch, mostOnPage, type SearchExcess } from "../../../../schema/search-budget.ts"
import { parseSearchQuery } from "../../../../schema/search-query.ts"

/**
 * A search exceeded its budget (contract section 2): by its terms, by the size of its page or, with neither, by its
 * running time. `field` is where the caller wrote the search, if not in `q`.
 */
export class SearchOverBudget extends Data.TaggedError("SearchOverBudget")<{
  readonly excess?: SearchExcess
  readonly isPageTooLarge?: boolean
  /** False if it has filters only. */
  readonly hasWords?: boolean
  readonly field?: "q" | "query"
}> {}

/** As many searches run as may at once, and too many wait for their end, or none ended in time. */
export class SearchesBusy extends Data.TaggedError("SearchesBusy") {}

export const countWords = (text: string): number => (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).length

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

/**
 * How searches share a process. `statement` is the timeout of each of their statements. `permits` are what all that run
 * hold together: one for each `weight`, but at least one, and at most half, so that one search never keeps out all
 * others. Every search holds one database connection, so `permits` is also the share of the pool (20 connections) that
 * searches can take from plain reads. `waiting` is how many may wait for permits, and `wait` is for how long. `page` is
 * the most characters of its meetings.
 */
export const SearchLimits = Context.Reference("civic-record/SearchLimits", {
  defaultValue: () => ({
    statement: Duration.seconds(5),
    permits: 8,
    weight: 16_000,
    waiting: 16,
    wait: Duration.seconds(2),
    page: mostOnPage * 1_000_000
  })
})

/**
 * Runs a search of this weight within the budget of this process, in a transaction of its own: dear searches and those
 * that SQL answers, which would otherwise starve plain reads.
 */
export const makeQueryBudget = Effect.fnUntraced(function* (db: ReadSql) {
  const { statement, permits, wait, waiting, weight: each } = yield* SearchLimits
  const running = yield* Semaphore.make(permits)
  const limited = db.withStatementTimeout(statement)
  let inLine = 0

  const admitted = (weight: number) =>
    Effect.suspend(() => {
      if (inLine >= waiting) return Effect.fail(new SearchesBusy())
      inLine++
      const share = Math.min(Math.max(1, Math.ceil(weight / each)), Math.max(1, Math.floor(permits / 2)))
      return Semaphore.takeScoped(running, share).pipe(
        Effect.timeoutOrElse({ duration: wait, orElse: () => Effect.fail(new SearchesBusy()) }),
        Effect.ensuring(
          Effect.sync(() => {
            inLine--
          })
        )
      )
    })

  return <A, E, R>(search: Effect.Effect<A, E, R>, { weight, hasWords }: { weight: number; hasWords: boolean }) =>
    Effect.andThen(admitted(weight), limited(search)).pipe(
      Effect.scoped,
      Effect.catchIf(
        (error) => SqlError.isSqlError(error) && error.reason._tag === "StatementTimeoutError",
        () =>
          Effect.andThen(
            Metric.update(Metric.withAttributes(statementTimeouts, { during: "search" }), 1),
            Effect.fail(new SearchOverBudget({ hasWords }))
          )
      )
    )
})

import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import fc from "fast-check"
import { Db, ReadDb } from "../../../layers/db/db.ts"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import { mostInSearch } from "../../../schema/search-budget.ts"
import { parseSearchQuery } from "../../../schema/search-query.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { timesOnRecord, withinWords } from "../../../src/services/search/corrections/let-go.ts"
import { excessOf, makeQueryBudget, SearchLimits } from "../../../src/services/search/query/query-budget.ts"
import { weightOf } from "../../../src/services/search/query/weight.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { questionIn } from "../../../src/text/question.ts"
import { agency, meeting, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"

const times = (text: string, count: number) => Array.from({ length: count }, () => text).join(" ")

describe("the budget of a search", () => {
  it("covers all parts of the query", () => {
    for (const [q, what, found] of [
      [times("bond", 16), undefined, 0],
      [times("bond", 17), "words", 17],
      [times("bond", 9).replaceAll(" ", " or "), undefined, 0],
      [times("-bond", 17), "words", 17],
      [times("bond", 17).replaceAll(" ", "-"), "words", 17],
      [times("bond", 17).replaceAll(" ", "."), "words", 17],
      [times('"water main"', 4), undefined, 0],
      [times('"water main"', 5), "phrases", 5],
      [times('-"water main"', 5), "phrases", 5],
      [times('"water main"', 5).replaceAll('" "', '" or "'), "phrases", 5],
      [times('"bond"', 16), undefined, 0],
      [`"${times("bond", 8)}"`, undefined, 0],
      [`"${times("bond", 9)}"`, "words_of_phrase", 9],
      [`"${times("bond", 9)}`, "words_of_phrase", 9],
      [`${times("bond", 16)} ${times(`"${times("bond", 8)}"`, 4)}`, undefined, 0],
      ['"" - or', undefined, 0]
    ] as const) {
      assert.deepStrictEqual(excessOf(q), what === undefined ? undefined : { what, found, most: mostInSearch[what] }, q)
    }
  })
})

describe("the weight of a search", () => {
  const weight = (q: string, query: BrowseQuery = {}) => weightOf(query, q === "" ? undefined : parseSearchQuery(q))

  it("is that of its page: meetings, times words in each kind of text", () => {
    assert.strictEqual(weight(""), 20)
    assert.strictEqual(weight("", { page_size: 100, group_by: "agency" }), 300)
    assert.strictEqual(weight("bond"), 20 * 10)
    assert.strictEqual(weight("water bond -tax", { page_size: 50 }), 50 * 19)
    assert.strictEqual(weight('"water main" or bond'), 20 * 28)
    const four = '"water main" or "city hall" or "new bond" or "old road"'
    assert.strictEqual(weight(four, { page_size: 100, group_by: "agency", per_group: 20 }), 2000 * 73)
  })
})

const vocabulary = ["motion", "second", "thank", "you", "the", "budget", "greenway", "péage", "bond's", "4.1", "x"]

/** Thirty meetings in which everybody repeats the same few words. */
const Record = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* putOnRecord(place("springfield"), agency("council", ["springfield"]))
    for (let at = 0; at < 30; at++) {
      const line = (n: number) => vocabulary.map((_, w) => vocabulary[(n * (w + 1) + at) % vocabulary.length]).join(" ")
      yield* putOnRecord(
        meeting(`m${at}`, "council", { date: `2026-01-${String(at + 1).padStart(2, "0")}`, title: `Budget ${at}` }),
        transcript(`m${at}`, said(Array.from({ length: 60 }, (_, n) => line(n))))
      )
    }
  })
)
const Searched = Record.pipe(
  Layer.provideMerge(Browse.layer.pipe(Layer.provide(SearchIndex.none))),
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

const word = fc.constantFrom(...vocabulary)
const words = (most: number) => fc.array(word, { minLength: 2, maxLength: most }).map((some) => some.join(" "))
const term = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: words(10).map((some) => `"${some}"`) },
  { weight: 1, arbitrary: fc.constantFrom("or", "-", '"', "--", "OR") },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 5 }).filter((text) => !text.includes("\0")) }
)
const query = fc
  .array(fc.tuple(fc.constantFrom("", "", "-"), term), { maxLength: 24 })
  .map((parts) => parts.map(([minus, text]) => minus + text).join(" "))

layer(Searched, { excludeTestServices: true })("any query", (it) => {
  it.effect("is answered, and finds as many as it counts, or is over its budget", () =>
    Effect.gen(function* () {
      const browse = yield* Browse
      const db = yield* ReadDb
      for (const q of fc.sample(query, { numRuns: 120, seed: 7 })) {
        const excess = excessOf((yield* withinWords(questionIn(q)?.subject ?? q, timesOnRecord(db))).q)
        const search = browse.search({ q, page_size: 100 })
        if (excess !== undefined) {
          const refused = yield* Effect.flip(search)
          assert.deepStrictEqual(refused._tag === "SearchOverBudget" ? refused.excess : refused._tag, excess, q)
          continue
        }
        const answer = yield* search
        assert.strictEqual(answer.meetings.length, answer.total, q)
        assert.strictEqual((yield* browse.found({ q })).length, answer.total, q)
      }
    })
  )
})

const limits = {
  statement: Duration.millis(200),
  permits: 1,
  weight: 1000,
  waiting: 2,
  wait: Duration.millis(1),
  page: 5_000_000
}
const short = Layer.succeed(SearchLimits, limits)

layer(Searched.pipe(Layer.provide(short)), { excludeTestServices: true })("a search that takes too long", (it) => {
  const OnPrimary = Browse.fromPrimary.pipe(Layer.provide([SearchIndex.none, TestEnvironment, short]))

  /** While nobody can read the indexed words. */
  const whileLocked = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const db = yield* Db
      const [held, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        db.withTransaction(
          Effect.gen(function* () {
            yield* db`lock table meeting_search in access exclusive mode`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(done)
          })
        )
      )
      yield* Deferred.await(held)
      const answer = yield* effect
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(holder)
      return answer
    })

  it.effect("is over its budget, and leaves the connection as it was", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const browse = Context.get(yield* Layer.build(OnPrimary), Browse)
      const refused = yield* whileLocked(Effect.flip(browse.search({ q: "budget" })))
      assert.strictEqual(refused._tag, "SearchOverBudget")
      assert.notProperty(refused, "excess")
      const timeout = db`select current_setting('statement_timeout') as timeout`
      const usual = yield* timeout
      const within = yield* db.withTransaction(
        Effect.gen(function* () {
          const { total } = yield* browse.search({ q: "budget" })
          return [total, yield* timeout]
        })
      )
      assert.deepStrictEqual(within, [30, usual])
    })
  )

  it.effect("makes other searches wait for a while, except those without words", () =>
    Effect.gen(function* () {
      const browse = yield* Browse
      const both = [browse.search({ q: "budget" }), browse.search({ q: "greenway" })].map(Effect.flip)
      const refused = yield* whileLocked(Effect.all(both, { concurrency: "unbounded" }))
      assert.deepStrictEqual(refused.map(({ _tag }) => _tag).sort(), ["SearchOverBudget", "SearchesBusy"])
      assert.strictEqual((yield* whileLocked(browse.search({}))).total, 30)
      assert.strictEqual((yield* browse.search({ q: "budget" })).total, 30)
    })
  )

  it.effect("lets only so many wait, and refuses the rest at once", () =>
    Effect.gen(function* () {
      const budget = yield* makeQueryBudget(yield* ReadDb).pipe(
        Effect.provideService(SearchLimits, { ...limits, waiting: 1, wait: Duration.minutes(1) })
      )
      const [done, refused] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const search = budget(Deferred.await(done), { weight: 5000, hasWords: true }).pipe(
        Effect.as("answered"),
        Effect.catchTag("SearchesBusy", () => Effect.as(Deferred.succeed(refused, undefined), "refused"))
      )
      const three = yield* Effect.forkChild(Effect.all([search, search, search], { concurrency: "unbounded" }))
      yield* Deferred.await(refused)
      yield* Deferred.succeed(done, undefined)
      assert.deepStrictEqual((yield* Fiber.join(three)).toSorted(), ["answered", "answered", "refused"])
    })
  )

  it.effect("lets as many run as its weight leaves room for, each on one connection", () =>
    Effect.gen(function* () {
      const db = yield* ReadDb
      const budget = yield* makeQueryBudget(db).pipe(
        Effect.provideService(SearchLimits, { ...limits, permits: 4, waiting: 20, wait: Duration.minutes(1) })
      )
      /** The most that ran at once, of ten that run until as many as expected do. */
      const mostAtOnce = Effect.fnUntraced(function* (weight: number, expected: number) {
        let [running, most] = [0, 0]
        const full = yield* Deferred.make<void>()
        const search = Effect.gen(function* () {
          most = Math.max(most, ++running)
          if (running === expected) yield* Deferred.succeed(full, undefined)
          yield* Deferred.await(full)
          const rows = yield* Effect.all(
            [1, 2].map(() => db<{ pid: number }>`select pg_backend_pid() as pid`),
            { concurrency: 2 }
          )
          assert.deepStrictEqual(rows[0], rows[1])
          running--
        })
        yield* Effect.all(
          Array.from({ length: 10 }, () => budget(search, { weight, hasWords: true })),
          { concurrency: "unbounded" }
        )
        return most
      })
      assert.strictEqual(yield* mostAtOnce(1, 4), 4)
      assert.strictEqual(yield* mostAtOnce(1001, 2), 2)
      assert.strictEqual(yield* mostAtOnce(1_000_000, 2), 2)
    })
  )

  it.effect("is refused if its page would be too large", () =>
    Effect.gen(function* () {
      const Small = Browse.fromPrimary.pipe(
        Layer.provide([SearchIndex.none, TestEnvironment, Layer.succeed(SearchLimits, { ...limits, page: 10_000 })])
      )
      const browse = Context.get(yield* Layer.build(Small), Browse)
      const refused = (query: BrowseQuery) => Effect.map(Effect.option(browse.search(query)), Option.isNone)
      assert.isFalse(yield* refused({ page_size: 6 }))
      assert.isTrue(yield* refused({ page_size: 30 }))
      // A group's meetings are in the response twice.
      assert.isTrue(yield* refused({ group_by: "agency", per_group: 10 }))
    })
  )
})

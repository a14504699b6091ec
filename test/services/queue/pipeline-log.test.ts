import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { type NewLogLine, PipelineLog } from "../../../src/services/queue/pipeline-log.ts"
import { TestDb } from "../../support/database.ts"
import { eventually } from "../../support/rendering.ts"

const line = (message: string, over: Partial<NewLogLine> = {}): NewLogLine => ({
  at: "2026-03-10T12:00:00.000Z",
  source: "worker",
  level: "info",
  message,
  fields: {},
  ...over
})

const LogOnDb = Layer.provideMerge(PipelineLog.layer, TestDb)

const said = (lines: ReadonlyArray<{ readonly message: string }>) => lines.map(({ message }) => message)

describe("the pipeline's log", () => {
  it.live("shows lines in the order of their ids, so that a reader who continues after the last one misses none", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const log = yield* PipelineLog
      const written = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      // One writer has its id and has not committed; the other, which would have a later one, waits for it.
      const slow = log
        .append([line("first"), line("second")])
        .pipe(Effect.andThen(Deferred.succeed(written, undefined)), Effect.andThen(Deferred.await(goOn)))
      const first = yield* Effect.forkChild(db.withTransaction(slow))
      yield* Deferred.await(written)
      const second = yield* Effect.forkChild(log.append([line("third")]))
      yield* eventually(
        Effect.map(
          db`select from pg_locks where locktype = 'advisory' and not granted`,
          (rows) => rows.length > 0 || undefined
        )
      )
      assert.deepStrictEqual(yield* log.page({ after: 0, limit: 10 }), [])
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(first)
      yield* Fiber.join(second)
      assert.deepStrictEqual(said(yield* log.page({ after: 0, limit: 10 })), ["first", "second", "third"])
    }).pipe(Effect.provide(LogOnDb))
  )

  it.live("is read forward and backward from a line, and narrowed by filters", () =>
    Effect.gen(function* () {
      const log = yield* PipelineLog
      const [task_id, worker_id, meeting_id] = [randomUUID(), randomUUID(), randomUUID()]
      yield* log.append([
        line("zero"),
        line("one", { task_id, level: "warn" }),
        line("two", { source: "render", meeting_id }),
        line("Three 50% done", { worker_id, fields: { share: 0.5 } }),
        line("four", { source: "fetch", level: "error" })
      ])
      const all = yield* log.page({ limit: 100 })
      assert.deepStrictEqual(said(all), ["zero", "one", "two", "Three 50% done", "four"])
      const id = all[2]?.id ?? 0
      const page = (query: object) => Effect.map(log.page({ limit: 2, ...query }), said)
      assert.deepStrictEqual(yield* page({}), ["Three 50% done", "four"])
      assert.deepStrictEqual(yield* page({ before: id }), ["zero", "one"])
      assert.deepStrictEqual(yield* page({ after: id }), ["Three 50% done", "four"])
      assert.deepStrictEqual(yield* page({ after: all[0]?.id, before: all[4]?.id }), ["one", "two"])
      assert.deepStrictEqual(yield* page({ sources: ["render", "fetch"] }), ["two", "four"])
      assert.deepStrictEqual(yield* page({ levels: ["warn", "error"] }), ["one", "four"])
      assert.deepStrictEqual(yield* page({ task_id }), ["one"])
      assert.deepStrictEqual(yield* page({ meeting_id }), ["two"])
      assert.deepStrictEqual(yield* page({ worker_id, q: "THREE 50%" }), ["Three 50% done"])
      assert.deepStrictEqual(yield* page({ q: "5_" }), [])
      assert.deepStrictEqual(all[3]?.fields, { share: 0.5 })
    }).pipe(Effect.provide(LogOnDb))
  )

  it.live("goes on with greater ids where it was on a timeline that was lost, and keeps what came before", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const log = yield* PipelineLog
      const at = new Date().toISOString()
      yield* log.append([line("before", { at })])
      yield* db`update timeline set name = 'another'`
      yield* log.append([line("after", { at }), line("later", { at })])
      yield* log.prune
      const lines = yield* log.page({ after: 1_000_000, limit: 10 })
      assert.deepStrictEqual(said(lines), ["after", "later"])
      assert.strictEqual((lines[1]?.id ?? 0) - (lines[0]?.id ?? 0), 1)
      assert.deepStrictEqual(said(yield* log.page({ limit: 10 })), ["before", "after", "later"])
    }).pipe(Effect.provide(LogOnDb))
  )

  it.live("keeps lines for 30 days", () =>
    Effect.gen(function* () {
      const log = yield* PipelineLog
      const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
      yield* log.append([line("old", { at: daysAgo(31) }), line("young", { at: daysAgo(29) })])
      yield* log.prune
      assert.deepStrictEqual(said(yield* log.page({ limit: 10 })), ["young"])
    }).pipe(Effect.provide(LogOnDb))
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { addFlows } from "../../../src/services/queue/add-flows.ts"
import { Flows } from "../../../src/services/queue/flows.ts"
import { type ClaimedTask, Tasks } from "../../../src/services/queue/tasks.ts"
import { Workers } from "../../../src/services/queue/workers.ts"
import { EngineOnDb, oneFlow, put, statesOf, until, worker } from "../../support/hand-worker.ts"
import { eventually } from "../../support/rendering.ts"

describe("tasks", () => {
  it.live("that end together release a task that needs them both", () =>
    Effect.gen(function* () {
      const flow = yield* oneFlow
      const { claim } = yield* worker
      const tasks = yield* Tasks
      const [one, other] = yield* until(claim(), "transcribe", "agenda")
      if (one === undefined || other === undefined) return assert.fail("both are claimed")
      // The first stays in its transaction until the second has begun to end as well.
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(
        tasks.finish(one, Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(ended)))
      )
      yield* Deferred.await(begun)
      const second = yield* Effect.forkChild(tasks.finish(other, put))
      const db = yield* Db
      yield* eventually(
        Effect.map(
          db`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          (waiting) => waiting.length > 0 || undefined
        )
      )
      yield* Deferred.succeed(ended, undefined)
      assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(second)], [true, true])
      assert.include(yield* statesOf(flow), { refine: "waiting", briefing: "blocked", clips: "blocked" })
    }).pipe(Effect.provide(EngineOnDb))
  )

  it.live("in one lane never exceed its limit, even if many workers claim at once", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* db`update lane set at_once = 5 where name = 'web'`
      yield* addFlows(
        db,
        "crawl",
        Array.from({ length: 20 }, () => ({}))
      )
      const workers = yield* Effect.all(Array.from({ length: 8 }, () => worker))
      const claimed: Array<ClaimedTask> = []
      while (claimed.length < 5) {
        const round = yield* Effect.all(
          workers.map(({ claim }) => claim(2)),
          { concurrency: "unbounded" }
        )
        claimed.push(...round.flat())
      }
      assert.strictEqual(claimed.length, 5)
      assert.strictEqual(new Set(claimed.map((task) => task.id)).size, 5)
      const [first] = claimed
      if (first === undefined) return assert.fail("five are claimed")
      yield* (yield* Tasks).finish(first, put)
      const [{ claim } = assert.fail("there are workers")] = workers
      assert.strictEqual((yield* claim(2)).length, 1)
      yield* db`update lane set at_once = 0 where name = 'web'`
      assert.deepStrictEqual(yield* claim(2), [])
    }).pipe(Effect.provide(EngineOnDb))
  )

  it.live("are claimed the most urgent first, then by the age of their flow, and only in the requested lanes", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const older = yield* oneFlow
      const [younger = ""] = yield* addFlows(db, "meeting", [{}])
      const { claim } = yield* worker
      const tasks = yield* Tasks
      assert.deepStrictEqual(yield* claim(1, ["web", "media"]), [])
      const [first] = yield* claim(1)
      assert.include(first, { flow: older, stage: "detect", attempts: 1 })
      // A task that becomes ready in the older flow precedes one of the younger that has been waiting.
      if (first !== undefined) yield* tasks.finish(first, put)
      yield* db`update task set lane = 'local' where stage = 'fetch'`
      assert.include((yield* claim(1))[0], { flow: older, stage: "fetch" })
      yield* db`update task set priority = 1 where flow_id = ${younger} and stage = 'detect'`
      assert.include((yield* claim(1))[0], { flow: younger, stage: "detect" })
    }).pipe(Effect.provide(EngineOnDb))
  )

  it.effect("report their progress, as a fraction or as a whole number", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* oneFlow
      yield* oneFlow
      const mine = yield* worker
      const [first, second] = yield* mine.claim()
      if (first === undefined || second === undefined) return assert.fail("both are claimed")
      yield* mine.progress(
        new Map([
          [first.claim, 1],
          [second.claim, 0.25]
        ])
      )
      const told = yield* db`select progress from task where state = 'running' order by progress`
      assert.deepStrictEqual(told, [{ progress: 0.25 }, { progress: 1 }])
    }).pipe(Effect.provide(EngineOnDb))
  )

  it.live("of a worker that fell silent go to another, and its late results do not count", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const tasks = yield* Tasks
      yield* oneFlow
      const [frozen, other] = [yield* worker, yield* worker]
      const [task] = yield* frozen.claim()
      if (task === undefined) return assert.fail("it is claimed")
      assert.deepStrictEqual([...(yield* frozen.progress(new Map([[task.claim, 0.5]])))], [task.claim])
      assert.deepStrictEqual(yield* db`select progress from task where id = ${task.id}`, [{ progress: 0.5 }])
      yield* other.beat
      assert.deepStrictEqual(yield* other.claim(), [])
      yield* db`update worker set seen_at = seen_at - interval '1 minute' where id = ${frozen.id}`
      yield* other.beat
      // Until its next beat it counts as gone, and gets nothing.
      assert.deepStrictEqual(yield* frozen.claim(), [])
      const [again] = yield* other.claim()
      assert.include(again, { id: task.id, attempts: 2 })
      let wasPut = false
      const late = Effect.sync(() => {
        wasPut = true
      })
      assert.isFalse(yield* tasks.finish(task, late))
      for (const settle of [
        tasks.retry(task, 1, ""),
        tasks.postpone(task, 1, ""),
        tasks.fail(task, "", late),
        tasks.giveBack(task)
      ]) {
        assert.isFalse(yield* settle)
      }
      assert.isFalse(wasPut)
      assert.strictEqual((yield* frozen.beat).size, 0)
      if (again !== undefined) assert.isTrue(yield* tasks.finish(again, put))
      const events = yield* tasks.events(task.id)
      assert.deepStrictEqual(
        events.map(({ kind, worker_id }) => [kind, worker_id]),
        [
          ["added", null],
          ["started", frozen.id],
          ["taken_over", frozen.id],
          ["started", other.id],
          ["done", other.id]
        ]
      )
    }).pipe(Effect.provide(EngineOnDb))
  )

  it.live("given back or postponed count no attempt, and a retried one does, and waits", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const tasks = yield* Tasks
      yield* oneFlow
      const { claim } = yield* worker
      const claimed = Effect.map(claim(), ([task]) => task ?? assert.fail("it is due"))
      const row = Effect.map(
        db`select state, attempts, failure, due_at > started_at + interval '59 seconds' as later from task where stage = 'detect'`,
        ([task]) => task
      )
      const due = db`update task set due_at = now() where stage = 'detect'`
      yield* tasks.giveBack(yield* claimed)
      assert.deepStrictEqual(yield* row, { state: "waiting", attempts: 0, failure: null, later: false })
      yield* tasks.postpone(yield* claimed, 60, "The day's budget is spent.")
      const waits = { state: "waiting", attempts: 0, failure: "The day's budget is spent.", later: true }
      assert.deepStrictEqual(yield* row, waits)
      assert.deepStrictEqual(yield* claim(), [])
      yield* due
      yield* tasks.retry(yield* claimed, 60, "It was not there.\nwith what was fetched")
      assert.deepStrictEqual(yield* row, { ...waits, attempts: 1, failure: "It was not there." })
      yield* due
      const last = yield* claimed
      assert.strictEqual(last.attempts, 2)
      yield* Effect.flip(tasks.finish(last, Effect.fail("what it puts does not fit")))
      assert.include(yield* row, { state: "running", attempts: 2 })
    }).pipe(Effect.provide(EngineOnDb))
  )

  it.live("whose model fails count that apart from their attempts, until they are retried", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const tasks = yield* Tasks
      yield* oneFlow
      const { claim } = yield* worker
      const claimed = Effect.map(claim(), ([task]) => task ?? assert.fail("it is due"))
      const due = db`update task set due_at = now(), model_since = now() - interval '1 hour' where stage = 'detect'`
      const away = { role: "language", model: "a-model (a-host)", message: "It is away.", seconds: 60 } as const
      yield* tasks.awaitModel(yield* claimed, { ...away, kind: "away", hasAnswered: false })
      yield* due
      yield* tasks.awaitModel(yield* claimed, { ...away, kind: "away", hasAnswered: false })
      yield* due
      yield* tasks.awaitModel(yield* claimed, { ...away, kind: "unusable", hasAnswered: false })
      yield* due
      const fourth = yield* claimed
      assert.include(fourth, { attempts: 1, modelAway: 2, modelUnusable: 1 })
      assert.closeTo(fourth.modelWaited, 3600, 60)
      // It is away once more, but has answered in between.
      yield* tasks.awaitModel(fourth, { ...away, kind: "away", hasAnswered: true })
      yield* due
      const fifth = yield* claimed
      assert.include(fifth, { attempts: 1, modelAway: 1, modelUnusable: 1 })
      // A budget that is spent counts only by how long it lasts.
      yield* tasks.awaitModel(fifth, { ...away, kind: "budget", hasAnswered: false })
      const flows = yield* Flows
      assert.isTrue((yield* flows.retryTask(fifth.id)).changed)
      assert.include(yield* claimed, { attempts: 1, modelAway: 0, modelUnusable: 0, modelWaited: 0 })
    }).pipe(Effect.provide(EngineOnDb))
  )

  it.live("that no running worker can do are listed, with how many wait", () =>
    Effect.gen(function* () {
      const workers = yield* Workers
      yield* addFlows(yield* Db, "crawl", [{}, {}])
      assert.deepStrictEqual(yield* workers.unserved, [{ stage: "crawl", waiting: 2 }])
      const { id } = yield* worker
      assert.deepStrictEqual(yield* workers.unserved, [])
      yield* workers.stop(id)
      assert.deepStrictEqual(yield* workers.unserved, [{ stage: "crawl", waiting: 2 }])
    }).pipe(Effect.provide(EngineOnDb))
  )
})

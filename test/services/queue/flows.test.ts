import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { addFlows } from "../../../src/services/queue/add-flows.ts"
import { Flows } from "../../../src/services/queue/flows.ts"
import { flowKinds } from "../../../src/services/queue/stages.ts"
import { Tasks } from "../../../src/services/queue/tasks.ts"
import { budgetIsSpent, Settings } from "../../../src/services/settings/settings.ts"
import {
  council,
  EngineOnDb,
  flowState,
  oneFlow,
  put,
  statesOf,
  subject,
  until,
  worker
} from "../../support/hand-worker.ts"

describe("adding flows", () => {
  it.effect("adds nothing if the transaction is rolled back, and no second one while one is open", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* council
      yield* db.withTransaction(Effect.andThen(addFlows(db, "meeting", [subject]), Effect.fail("no"))).pipe(Effect.flip)
      assert.deepStrictEqual(yield* db`select from flow`, [])
      const [first] = yield* addFlows(db, "meeting", [subject])
      assert.deepStrictEqual(yield* addFlows(db, "meeting", [subject, subject]), [])
      assert.strictEqual((yield* addFlows(db, "meeting_media", [subject])).length, 1)
      const planned = yield* statesOf(first ?? "")
      assert.deepStrictEqual(Object.keys(planned).toSorted(), [...flowKinds.meeting.stages].toSorted())
      assert.deepStrictEqual(
        Object.entries(planned).filter(([, state]) => state === "waiting"),
        [["detect", "waiting"]]
      )
      yield* (yield* Flows).cancel(first ?? "")
      assert.strictEqual((yield* addFlows(db, "meeting", [subject])).length, 1)
      // A flow is removed with its subject, and so is everything in it.
      yield* db`delete from meeting`
      for (const table of ["flow", "task", "task_event"])
        assert.deepStrictEqual(yield* db`select from ${db(table)}`, [])
    }).pipe(Effect.provide(EngineOnDb))
  )
})

describe("flows", () => {
  it.live("are cancelled with all their remaining tasks, and a worker on one of them has lost it", () =>
    Effect.gen(function* () {
      const flow = yield* oneFlow
      const me = yield* worker
      const tasks = yield* Tasks
      const flows = yield* Flows
      const [task] = yield* until(me.claim(), "fetch")
      yield* flows.cancel(flow)
      yield* flows.cancel(flow)
      assert.strictEqual((yield* me.beat).size, 0)
      assert.isFalse(task === undefined || (yield* tasks.finish(task, put)))
      const { detect, ...rest } = yield* statesOf(flow)
      assert.strictEqual(detect, "done")
      assert.deepStrictEqual(new Set(Object.values(rest)), new Set(["cancelled"]))
      assert.strictEqual(yield* flowState(flow), "cancelled")
      assert.strictEqual((yield* Effect.flip(flows.cancel(randomUUID())))._tag, "UnknownFlow")
      // When repeated, cancelled tasks are done from that stage on.
      yield* flows.rerun(flow, "publish")
      assert.include(yield* statesOf(flow), { detect: "done", fetch: "waiting", mail: "blocked" })
      assert.strictEqual(yield* flowState(flow), "open")
    }).pipe(Effect.provide(EngineOnDb))
  )

  it.live("are repeated from a stage on, and nothing before it", () =>
    Effect.gen(function* () {
      const flow = yield* oneFlow
      const me = yield* worker
      const tasks = yield* Tasks
      const flows = yield* Flows
      const [last] = yield* until(me.claim(), "mail")
      if (last !== undefined) yield* tasks.finish(last, put)
      assert.strictEqual(yield* flowState(flow), "done")
      yield* flows.rerun(flow, "briefing")
      const expected = {
        ...{ detect: "done", fetch: "done", render: "done", transcribe: "done", refine: "done", agenda: "done" },
        ...{ chapters: "done", clips: "done", briefing: "waiting" },
        ...{ verify: "blocked", figures: "blocked", recap: "blocked", publish: "blocked", mail: "blocked" }
      }
      assert.deepStrictEqual(yield* statesOf(flow), expected)
      // Repeated while a task is running: that claim is lost, and the task is done again.
      const [running] = yield* me.claim()
      yield* flows.rerun(flow, "briefing")
      assert.strictEqual((yield* me.beat).size, 0)
      assert.deepStrictEqual(yield* statesOf(flow), expected)
      const [again] = yield* me.claim()
      assert.isFalse(running === undefined || (yield* tasks.finish(running, put)))
      assert.isTrue(again !== undefined && (yield* tasks.finish(again, put)))
      assert.strictEqual((yield* Effect.flip(flows.rerun(flow, "crawl")))._tag, "UnknownFlow")
    }).pipe(Effect.provide(EngineOnDb))
  )

  it.live("go on at once when a task that waits until later is retried, or the budget it waits for is changed", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* council
      yield* addFlows(db, "meeting", [subject])
      const me = yield* worker
      const tasks = yield* Tasks
      const [task] = yield* until(me.claim(), "fetch")
      if (task === undefined) return assert.fail("it is claimed")
      yield* tasks.postpone(task, 3600, "The server is busy.")
      assert.deepInclude(yield* (yield* Flows).retryTask(task.id), {
        changed: true,
        said: "fetch will be tried again, with a fresh count."
      })
      const [again] = yield* me.claim()
      if (again?.id !== task.id) return assert.fail("it is claimed again")
      yield* tasks.postpone(again, 3600, budgetIsSpent)
      yield* (yield* Settings).set("budget.DailyMicros", 1_000_000)
      assert.include((yield* me.claim())[0], { id: task.id })
    }).pipe(Effect.provide(Layer.provideMerge(Settings.layer, EngineOnDb)))
  )

  it.live("fail when nothing of them can continue, and continue when the failed task is retried", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* council
      const [flow = ""] = yield* addFlows(db, "meeting", [subject])
      const me = yield* worker
      const tasks = yield* Tasks
      const flows = yield* Flows
      const [task] = yield* until(me.claim(), "fetch")
      if (task === undefined) return assert.fail("it is claimed")
      yield* tasks.fail(task, "There is no such page.", Effect.asVoid(db`update meeting set title = 'Failed'`))
      assert.include(yield* statesOf(flow), { fetch: "failed", render: "blocked" })
      assert.strictEqual(yield* flowState(flow), "failed")
      assert.deepStrictEqual(yield* db`select title from meeting`, [{ title: "Failed" }])
      assert.deepInclude(yield* flows.retryTask(task.id), {
        changed: true,
        said: "fetch will be tried again, with a fresh count."
      })
      assert.deepInclude(yield* flows.retryTask(task.id), {
        changed: false,
        said: "fetch is waiting: only a task that failed or waits until later is retried."
      })
      assert.strictEqual(yield* flowState(flow), "open")
      const [again] = yield* me.claim()
      assert.include(again, { id: task.id, attempts: 1 })
      if (again !== undefined) yield* tasks.fail(again, "There is no such page.", Effect.void)
      // Another one is under way by now, and takes precedence.
      const [newer] = yield* addFlows(db, "meeting", [subject])
      const refused = yield* Effect.flip(flows.retryTask(task.id))
      assert.deepStrictEqual(refused._tag === "NewerFlow" && refused.flow, newer)
      assert.strictEqual((yield* Effect.flip(flows.retryTask(randomUUID())))._tag, "NotFound")
    }).pipe(Effect.provide(EngineOnDb))
  )

  it.effect("that ended long ago are removed, but never the last of a meeting", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const flows = yield* Flows
      yield* council
      const add = (kind: "meeting" | "crawl", about: typeof subject | object) =>
        Effect.gen(function* () {
          const [flow = ""] = yield* addFlows(db, kind, [about])
          yield* flows.cancel(flow)
          yield* db`update flow set ended_at = ended_at - interval '91 days' where id = ${flow}`
          return flow
        })
      yield* add("meeting", subject)
      const last = yield* add("meeting", subject)
      yield* add("crawl", {})
      const recent = yield* oneFlow
      yield* flows.prune
      const left = yield* db<{ id: string }>`select id from flow order by created_at`
      assert.deepStrictEqual(
        left.map(({ id }) => id),
        [last, recent]
      )
    }).pipe(Effect.provide(EngineOnDb))
  )
})

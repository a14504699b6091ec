import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Logger, Redacted } from "effect"
import { ModelUsage } from "../../layers/cloud-model/cloud-model.ts"
import { Db } from "../../layers/db/db.ts"
import { StageFailed, type StageHandler, type StageHandlers, StageWaits } from "../../src/pipeline/stage.ts"
import { runWorker } from "../../src/pipeline/worker.ts"
import { WorkerLogLive } from "../../src/pipeline/worker-log.ts"
import { ModelAccounts } from "../../src/services/making/model-accounts.ts"
import { addFlows } from "../../src/services/queue/add-flows.ts"
import { Flows } from "../../src/services/queue/flows.ts"
import { PipelineLog } from "../../src/services/queue/pipeline-log.ts"
import { laneNames } from "../../src/services/queue/stages.ts"
import { council, EngineOnDb, oneFlow, subject } from "../support/hand-worker.ts"
import { recordedSpans } from "../support/recorded-spans.ts"
import { eventually } from "../support/rendering.ts"

const lanes = new Map(laneNames.map((lane) => [lane, 4]))

/** A worker with these stages, until the scope closes. */
const running = (handlers: StageHandlers) =>
  Effect.forkScoped(Effect.provide(runWorker(handlers, { jobs: 4, lanes }), WorkerLogLive))

const done = Effect.void

/** The first stage of a meeting, with the given work. */
const detect = (work: StageHandler["work"], failed?: StageHandler["failed"]): StageHandlers => ({
  detect: { work, ...(failed === undefined ? {} : { failed }) }
})

const detectIs = (state: string) =>
  Effect.gen(function* () {
    const db = yield* Db
    return yield* eventually(
      Effect.map(
        db<{ attempts: number; failure: string | null; wait: number; progress: number }>`
          select attempts, failure, progress, extract(epoch from due_at - started_at)::float8 as wait
          from task where stage = 'detect' and state = ${state}`,
        ([task]) => task
      )
    )
  })

const quiet = Layer.provideMerge(Logger.layer([]), EngineOnDb)

describe("a worker", () => {
  it.live("reports its progress, and stores the result when it is done", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* council
      yield* addFlows(db, "meeting", [subject])
      const shown = yield* Deferred.make<void>()
      yield* running(
        detect((task, onProgress) =>
          Effect.andThen(onProgress(0.5), Deferred.await(shown)).pipe(
            Effect.as(Effect.asVoid(db`update meeting set title = ${task.stage} where id = ${task.meetingId}`))
          )
        )
      )
      yield* eventually(Effect.map(detectIs("running"), ({ progress }) => progress === 0.5 || undefined))
      yield* Deferred.succeed(shown, undefined)
      assert.include(yield* detectIs("done"), { attempts: 1, progress: 1, failure: null })
      assert.deepStrictEqual(yield* db`select title from meeting`, [{ title: "detect" }])
    }).pipe(Effect.scoped, Effect.provide(quiet))
  )

  it.live("attributes each model call to its task", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* council
      yield* addFlows(db, "meeting", [subject])
      const { begin } = yield* Effect.provide(ModelUsage, ModelAccounts)
      const call = { model: "a-model", provider: "models.example.com", purpose: "test", outcome: "ok" } as const
      yield* running(
        detect(() => Effect.as(begin({ ...call, inputTokens: 1, outputTokens: 1, durationMs: 1 }), Effect.void))
      )
      yield* detectIs("done")
      const calls = yield* db`
        select u.stage, u.provider, u.meeting_id = f.meeting_id as of_meeting
        from model_usage u join task t on t.id = u.task_id join flow f on f.id = t.flow_id`
      assert.deepStrictEqual(calls, [{ stage: "detect", provider: "models.example.com", of_meeting: true }])
    }).pipe(Effect.scoped, Effect.provide(quiet))
  )

  it.live("retries a failed task later", () =>
    Effect.gen(function* () {
      yield* oneFlow
      yield* running(detect(() => new StageFailed({ message: "The page has moved.\n<html>", final: false })))
      const { wait, ...task } = yield* detectIs("waiting").pipe(
        Effect.repeat({ while: ({ attempts }) => attempts === 0 })
      )
      assert.deepStrictEqual(task, { attempts: 1, failure: "The page has moved.", progress: 0 })
      assert.isAtLeast(wait, 5)
    }).pipe(Effect.scoped, Effect.provide(quiet))
  )

  it.live("does not count an attempt if a stage has to wait", () =>
    Effect.gen(function* () {
      yield* oneFlow
      yield* running(detect(() => new StageWaits({ message: "The budget is spent.", seconds: 600 })))
      const { wait, ...task } = yield* detectIs("waiting").pipe(
        Effect.repeat({ while: ({ failure }) => failure === null })
      )
      assert.deepStrictEqual(task, { attempts: 0, failure: "The budget is spent.", progress: 0 })
      assert.isAtLeast(wait, 600)
    }).pipe(Effect.scoped, Effect.provide(quiet))
  )

  it.live("gives up after a permanent failure, a failed last attempt, or too many stopped workers", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const told: Array<string | undefined> = []
      const failing = (work: StageHandler["work"]) =>
        detect(work, (_, failure) =>
          Effect.sync(() => {
            told.push(failure?.message)
          })
        )
      const attempt = (work: StageHandler["work"], before: number) =>
        Effect.gen(function* () {
          yield* db`delete from flow`
          yield* oneFlow
          yield* db`update task set attempts = ${before} where stage = 'detect'`
          const fiber = yield* running(failing(work))
          const { attempts, failure } = yield* detectIs("failed")
          yield* Fiber.interrupt(fiber)
          assert.deepStrictEqual(yield* db`select state from flow`, [{ state: "failed" }])
          return [attempts, failure]
        })
      const final = new StageFailed({ message: "There is no recording.", final: true })
      const again = new StageFailed({ message: "It is away.", final: false })
      assert.deepStrictEqual(yield* attempt(() => final, 0), [1, "There is no recording."])
      assert.deepStrictEqual(yield* attempt(() => again, 2), [3, "It is away."])
      assert.deepStrictEqual(yield* attempt(() => Effect.die("a fault with what was fetched"), 2), [
        3,
        "It failed for a reason of ours, which is in the log."
      ])
      assert.deepStrictEqual(yield* attempt(() => Effect.succeed(done), 40), [
        41,
        "Its worker was stopped 40 times before it finished."
      ])
      assert.deepStrictEqual(told, ["There is no recording.", "It is away.", undefined, undefined])
    }).pipe(Effect.scoped, Effect.provide(quiet))
  )

  it.live("stops a task that is cancelled while running, and continues with the rest", () =>
    Effect.gen(function* () {
      const cancelled = yield* oneFlow
      const ended = yield* Deferred.make<Exit.Exit<unknown, unknown>>()
      yield* running(
        detect((task) =>
          task.flow === cancelled
            ? Effect.never.pipe(Effect.onExit((exit) => Deferred.succeed(ended, exit)))
            : Effect.succeed(done)
        )
      )
      yield* detectIs("running")
      yield* (yield* Flows).cancel(cancelled)
      assert.isTrue(Exit.hasInterrupts(yield* Deferred.await(ended)))
      yield* oneFlow
      yield* detectIs("done")
    }).pipe(Effect.scoped, Effect.provide(quiet))
  )

  it.live("gives back its task when it is stopped, and is gone", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* oneFlow
      const fiber = yield* running(detect(() => Effect.never))
      yield* detectIs("running")
      yield* Fiber.interrupt(fiber)
      assert.include(yield* detectIs("waiting"), { attempts: 0, failure: null })
      assert.deepStrictEqual(yield* db`select ended_how from worker`, [{ ended_how: "stopped" }])
    }).pipe(Effect.scoped, Effect.provide(quiet))
  )

  it.live("has a trace of its own for each task, linked to the request that led to it", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordedSpans()
      yield* Effect.gen(function* () {
        yield* oneFlow.pipe(Effect.withSpan("POST /api/things"))
        yield* running(detect(() => Effect.as(Effect.void, done).pipe(Effect.withSpan("Renderer.clip"))))
        yield* detectIs("done")
      }).pipe(Effect.withTracer(tracer))
      const named = (name: string) => spans.find((span) => span.name === name) ?? assert.fail(name)
      const [request, task, inner] = [named("POST /api/things"), named("Task.detect"), named("Renderer.clip")]
      assert.strictEqual(inner.traceId, task.traceId)
      assert.notStrictEqual(task.traceId, request.traceId)
      assert.deepStrictEqual(
        task.links.map(({ span }) => span.traceId),
        [request.traceId]
      )
      assert.sameMembers([...task.attributes.keys()], ["task", "flow", "worker"])
    }).pipe(Effect.scoped, Effect.provide(quiet))
  )

  it.live("logs task, worker, meeting and stage for operators, and no secret", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* council
      yield* addFlows(db, "meeting", [subject])
      yield* running(
        detect(() =>
          Effect.logWarning("asked https://me:pw@example.org/a?sig=hidden and got \u0000 Bearer hidden.too").pipe(
            Effect.annotateLogs({ key: Redacted.make("hidden-three"), bytes: 12, url: "s3://id:hidden@host/x" }),
            Effect.as(done)
          )
        )
      )
      yield* detectIs("done")
      const log = yield* PipelineLog
      const lines = yield* eventually(
        Effect.map(log.page({ meeting_id: subject.meeting_id, limit: 10 }), (found) =>
          found.length > 1 ? found : undefined
        )
      )
      const [task = assert.fail("it is there")] = yield* db<{ id: string }>`select id from task where stage = 'detect'`
      const [worker = assert.fail("it is there")] = yield* db<{ id: string }>`select id from worker`
      const said = lines.map(({ source, level, message, task_id, worker_id, meeting_id, fields }) => {
        const { trace_id, ...others } = fields
        assert.match(String(trace_id), /^[0-9a-f]{32}$/)
        return [source, level, message, task_id, worker_id, meeting_id, others]
      })
      const ids = [task.id, worker.id, subject.meeting_id]
      const message = "asked https://example.org/a and got  Bearer <redacted>"
      assert.deepStrictEqual(said, [
        ["detect", "warn", message, ...ids, { key: "<redacted>", bytes: 12, url: "s3://host/x" }],
        ["detect", "info", "The task is done", ...ids, {}]
      ])
    }).pipe(Effect.scoped, Effect.provide(quiet))
  )
})

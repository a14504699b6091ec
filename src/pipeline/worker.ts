import { randomUUID } from "node:crypto"
import * as os from "node:os"
import { Cause, Effect, Exit, FiberMap, Option, Queue, Schedule, Semaphore } from "effect"
import { Headers, HttpTraceContext } from "effect/http"
import type { SqlError } from "effect/sql"
import manifest from "../../package.json" with { type: "json" }
import { Retention } from "../services/operators/retention.ts"
import { CurrentTask } from "../services/queue/current-task.ts"
import { Flows } from "../services/queue/flows.ts"
import { PipelineLog } from "../services/queue/pipeline-log.ts"
import { isStage, type Lane, pauseAfter, stages } from "../services/queue/stages.ts"
import { type ClaimedTask, Tasks } from "../services/queue/tasks.ts"
import { beatSeconds, type WorkerProcess, Workers } from "../services/queue/workers.ts"
import type { StageFailure, StageHandlers } from "./stage.ts"

/** Workers are notified of new tasks; polling finds tasks whose notification was missed, or that become due later. */
const pollEvery = "2 seconds"
const lookForUnserved = "1 minute"
const tidyEvery = "1 hour"

/**
 * A task whose worker is killed this many times is considered the cause. Fewer can be bad luck: if workers live for 15
 * seconds and a rendering takes as long, one rendering in a hundred is killed nine times in a row, and one in a hundred
 * million this often.
 */
const mostBrokenOff = 40

export interface WorkerOptions {
  /** The most concurrent tasks. */
  readonly jobs: number
  /** The lanes it takes tasks from, each with its limit on this machine. */
  readonly lanes: ReadonlyMap<Lane, number>
}

/** A running task, by its claim. */
interface Running {
  readonly task: ClaimedTask
  progress: number
  isLost: boolean
}

const nothing: Effect.Effect<void> = Effect.void

/** Disables tracing for a worker's periodic work, whose traces would say nothing. */
const untraced = Effect.withTracerEnabled(false)

/** The span in which the task's flow was added. */
const cameFrom = ({ traceparent }: ClaimedTask) =>
  traceparent === null ? Option.none() : HttpTraceContext.w3c(Headers.fromInput({ traceparent }))

/**
 * Runs tasks: claims those it has handlers and room for, runs each, and settles it. Every three seconds it renews its
 * heartbeat and interrupts tasks it has lost (cancelled, deleted, repeated, or taken over because it was silent). If it
 * is interrupted, it releases its tasks without counting an attempt; if it is killed, other workers take them over.
 */
export const runWorker = Effect.fnUntraced(function* (handlers: StageHandlers, { jobs, lanes }: WorkerOptions) {
  const tasks = yield* Tasks
  const workers = yield* Workers
  const flows = yield* Flows
  const log = yield* PipelineLog
  const retention = yield* Retention
  const me: WorkerProcess = {
    id: randomUUID(),
    host: os.hostname(),
    pid: process.pid,
    build: manifest.version,
    stages: Object.keys(handlers).filter(isStage),
    jobs
  }
  const running = new Map<string, Running>()
  const due = yield* Queue.sliding<void>(1)
  const lost = yield* Queue.sliding<void>(1)
  let isStopping = false

  /** Retries until it succeeds, because an unavailable database comes back; stops when the process stops. */
  const surely = <A>(effect: Effect.Effect<A, SqlError.SqlError>) =>
    effect.pipe(
      Effect.tapError((error) => Effect.logWarning("The database cannot be reached: trying again", error.message)),
      Effect.retry({ schedule: Schedule.jittered(Schedule.spaced("2 seconds")), while: () => !isStopping }),
      Effect.catch(() => Effect.logWarning("The task is left to be taken over by another worker"))
    )

  const settleFailure = Effect.fnUntraced(function* (run: Running, cause: Cause.Cause<StageFailure>) {
    const { task } = run
    if (Cause.hasInterruptsOnly(cause) && (run.isLost || isStopping)) {
      yield* Effect.logInfo(run.isLost ? "The task was lost, and is left" : "The worker stops: the task is given back")
      return yield* surely(tasks.giveBack(task))
    }
    const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
    // A defect is our own bug, so its message goes only to the log.
    const reason = failure === undefined ? "It failed for a reason of ours, which is in the log." : failure.message
    const told = { attempt: task.attempts, why: failure?.cause ?? Cause.pretty(cause) }
    if (failure?._tag === "StageWaits") {
      yield* Effect.logInfo(`The task waits: ${reason}`)
      return yield* surely(tasks.postpone(task, failure.seconds, reason))
    }
    if (failure?._tag === "ModelFailed") {
      yield* Effect.annotateLogs(Effect.logWarning(`The task will ask its model again: ${reason}`), told)
      return yield* surely(tasks.awaitModel(task, failure))
    }
    if ((failure?._tag === "StageFailed" && failure.final) || task.attempts >= stages[task.stage].tries) {
      yield* Effect.annotateLogs(Effect.logError(`The task has failed: ${reason}`), told)
      return yield* surely(tasks.fail(task, reason, handlers[task.stage]?.failed?.(task, failure) ?? nothing))
    }
    yield* Effect.annotateLogs(Effect.logWarning(`The task will be tried again: ${reason}`), told)
    return yield* surely(tasks.retry(task, pauseAfter(task.attempts), reason))
  })

  /** Runs a task and settles it, whatever the outcome. */
  const one = (run: Running) => {
    const { task } = run
    const handler = handlers[task.stage]
    const onProgress = (share: number) =>
      Effect.sync(() => {
        run.progress = Math.min(1, Math.max(0, share))
      })
    const work =
      handler === undefined
        ? Effect.interrupt
        : Effect.flatMap(handler.work(task, onProgress), (put) => tasks.finish(task, put))
    const settled =
      task.attempts > Math.max(stages[task.stage].tries, mostBrokenOff)
        ? surely(
            tasks.fail(
              task,
              `Its worker was stopped ${task.attempts - 1} times before it finished.`,
              handler?.failed?.(task, undefined) ?? nothing
            )
          )
        : Effect.interruptible(Effect.scoped(work)).pipe(
            Effect.exit,
            Effect.flatMap((exit) =>
              Exit.isSuccess(exit)
                ? Effect.logInfo(exit.value ? "The task is done" : "The task was lost, and nothing of it is kept")
                : settleFailure(run, exit.cause)
            )
          )
    return Effect.uninterruptible(settled).pipe(
      Effect.provideService(CurrentTask, task),
      Effect.ensuring(
        Effect.suspend(() => {
          running.delete(task.claim)
          return Queue.offer(due, undefined)
        })
      ),
      Effect.withSpan(`Task.${task.stage}`, {
        root: true,
        attributes: { task: task.id, flow: task.flow, worker: task.worker },
        links: Option.toArray(cameFrom(task)).map((span) => ({ span, attributes: {} }))
      }),
      Effect.annotateLogs({
        task: task.id,
        worker: task.worker,
        source: task.stage,
        ...(task.meetingId === null ? {} : { meeting: task.meetingId })
      })
    )
  }

  const roomIn = (lane: Lane, most: number) =>
    most - [...running.values()].filter(({ task }) => stages[task.stage].lane === lane).length

  // A heartbeat and a claim never overlap: a task claimed in the middle of a heartbeat would seem to be lost.
  const turn = yield* Semaphore.make(1)
  // Finalizers run in reverse order, so tasks are released before the worker is removed.
  yield* Effect.addFinalizer(() =>
    Effect.catch(workers.stop(me.id), (error) => Effect.logWarning("The worker could not sign off", error.message))
  )
  const fibers = yield* FiberMap.make<string, unknown>()
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isStopping = true
    })
  )

  /**
   * Claims and starts tasks in one uninterruptible step; a stop in between would leave claimed tasks that nobody works
   * on.
   */
  const claim = Effect.gen(function* () {
    const free = jobs - running.size
    if (free <= 0) return 0
    const room = new Map([...lanes].map(([lane, most]) => [lane, roomIn(lane, most)]))
    const claimed = yield* untraced(tasks.claim({ worker: me.id, stages: me.stages, free, lanes: room }))
    for (const task of claimed) {
      const run: Running = { task, progress: 0, isLost: false }
      running.set(task.claim, run)
      yield* FiberMap.run(fibers, task.claim, one(run))
    }
    return claimed.length
  }).pipe(Effect.uninterruptible, turn.withPermit)

  const beat = Effect.gen(function* () {
    const progress = new Map([...running].map(([claim, run]) => [claim, run.progress]))
    const held = yield* untraced(workers.beat(me, progress))
    for (const [claim, run] of running) {
      if (held.has(claim)) continue
      run.isLost = true
      // Not awaited, because it may be in an uninterruptible region.
      Option.map(FiberMap.getUnsafe(fibers, claim), (fiber) => fiber.interruptUnsafe())
    }
  }).pipe(turn.withPermit)

  const hear = Effect.gen(function* () {
    const take = yield* workers.listen
    while (true) {
      const heard = yield* take
      if (heard.lost) yield* Queue.offer(lost, undefined)
      yield* Queue.offer(due, undefined)
    }
  }).pipe(Effect.scoped)

  const warned = new Set<string>()
  const tellUnserved = Effect.gen(function* () {
    for (const { stage, waiting } of yield* workers.unserved) {
      if (warned.has(stage)) continue
      warned.add(stage)
      yield* Effect.logWarning(`No running worker does the stage ${stage}: ${waiting} tasks are waiting`)
    }
  })

  const claimOrWait = Effect.gen(function* () {
    if ((yield* claim) === 0) yield* Effect.timeoutOption(Queue.take(due), pollEvery)
  })
  const beatAndWait = Effect.andThen(beat, Effect.timeoutOption(Queue.take(lost), `${beatSeconds} seconds`))
  const tidy = Effect.all([flows.prune, workers.prune, log.prune, retention.prune], { discard: true })

  /** Repeats forever, whatever fails, because an unavailable database comes back. */
  const always = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.andThen(
              Effect.logWarning("The worker cannot go on yet", Cause.squash(cause)),
              Effect.sleep(pollEvery)
            )
      ),
      Effect.forever
    )
  const loops = [
    // The first heartbeat comes before anything else: a worker must be registered before it claims.
    always(beatAndWait),
    always(hear),
    always(claimOrWait),
    always(Effect.andThen(Effect.sleep(lookForUnserved), tellUnserved)),
    always(Effect.andThen(tidy, Effect.sleep(tidyEvery)))
  ]
  yield* Effect.all(loops, { concurrency: "unbounded", discard: true })
}, Effect.scoped)

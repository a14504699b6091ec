import cluster, { type Worker } from "node:cluster"
import { isatty } from "node:tty"
import { Clock, DateTime, Deferred, Duration, Effect, Option, Queue } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { startEmbeddedPostgres } from "../../../layers/db/embedded-postgres/embedded-postgres.ts"
import { Drain } from "../../../layers/drain.ts"
import { ownData } from "../../../layers/live.ts"
import { type Ask, makeChannel } from "../../../layers/processes/channel.ts"
import { makeHeldCounts } from "../../../layers/processes/held-counts.ts"
import { makeRateCounters } from "../../../layers/processes/rate-counters.ts"
import type { ChildAnswers, LocalProvider, ParentAnswers } from "../../../layers/processes/siblings.ts"
import { exposition } from "../../../layers/telemetry/metrics.ts"
import { processReadings } from "../../../layers/telemetry/process-metrics.ts"
import { Ended } from "../ended.ts"

/** One of the processes, from its start to its end. */
interface Child {
  readonly number: number
  readonly worker: Worker
  readonly ask: Ask<ChildAnswers>
  /** How it ended: its exit code, or the signal. */
  readonly ended: Promise<number | string>
  isUp: boolean
  /** It was told to end, because another takes its place. */
  isRetired: boolean
}

/** How long a process that is told to stop may take beyond its drain, in seconds: twice what its requests get. */
const graceSeconds = 10
/** How long a process may take to listen before a restart of all is given up. */
const startsWithin = "5 minutes"
/** After this long without a crash, in milliseconds, the next one is answered at once again. */
const steadyAfter = 60_000
const pauseAfter = (crashes: number) => Duration.millis(Math.min(30_000, 250 * 2 ** crashes))
/** How long a process may take to tell its metrics, in milliseconds. */
const metricsWithin = 1000

/**
 * Runs the service in several processes on one address. This one accepts connections, hands them out in turn, counts
 * for all, owns the data folder and the embedded database, and starts another process in place of one that ended. It
 * fails if the first does not come up.
 */
export const runParent = Effect.fnUntraced(function* (count: number, jobs: number) {
  const { databaseUrl, drainSeconds } = yield* Environment
  const { hasBegun } = yield* Drain
  yield* ownData
  const database = Option.isSome(databaseUrl) ? undefined : yield* startEmbeddedPostgres("own", count)
  const restartedAt = database?.restartedAt ?? Effect.succeedNone
  const ofProcess = yield* processReadings
  const context = yield* Effect.context<never>()
  const run = Effect.runPromiseWith(context)

  const children = new Map<number, Child>()
  const firstUp = yield* Deferred.make<void>()
  const consume = makeRateCounters(Date.now)
  const streams = makeHeldCounts()
  let identity: LocalProvider | undefined
  let greets = true

  const metricsOf = ({ ask }: Child) =>
    Promise.race([ask("metrics"), new Promise<string>((resolve) => setTimeout(resolve, metricsWithin, ""))])

  const others = async () => {
    const rest = [...children.values()].filter(({ number, isUp }) => isUp && number > 1)
    const told = await Promise.all(rest.map(async (child) => [String(child.number), await metricsOf(child)] as const))
    const own = ["parent", await run(Effect.flatMap(ofProcess, exposition))] as const
    return { up: rest.length, metrics: Object.fromEntries([own, ...told].filter(([, text]) => text !== "")) }
  }

  const start = (number: number) => {
    // A provider that comes back elsewhere would be unknown to the other processes, and to browsers on their way.
    const worker = cluster.fork(identity === undefined ? {} : { LOCAL_IDENTITY_PORT: new URL(identity.issuer).port })
    /** The keys of its open streams, each as often as it has one. */
    const held = new Map<string, number>()
    const ended = new Promise<number | string>((resolve) =>
      worker.once("exit", (code, signal) => {
        for (const [key, count] of held) streams.release(key, count)
        resolve(signal ?? code)
      })
    )
    // What is sent to a process as it ends fails, and that it ends is told above.
    worker.on("error", () => undefined)
    const answers: ParentAnswers = {
      role: () => ({ number, count, greets, ...(identity === undefined ? {} : { identity }) }),
      up: (told) => {
        child.isUp = true
        if (number !== 1) return
        identity = told
        greets = false
        Deferred.doneUnsafe(firstUp, Effect.void)
      },
      consume,
      hold: (key, limit) => {
        const isHeld = streams.hold(key, limit)
        if (isHeld) held.set(key, (held.get(key) ?? 0) + 1)
        return isHeld
      },
      release: (key) => {
        const left = (held.get(key) ?? 1) - 1
        if (left > 0) held.set(key, left)
        else held.delete(key)
        streams.release(key)
      },
      others,
      databaseRestartedAt: () =>
        run(Effect.map(restartedAt, (at) => Option.getOrUndefined(Option.map(at, DateTime.toEpochMillis))))
    }
    const port = {
      get connected() {
        return worker.isConnected()
      },
      send: (message: object) => worker.send(message),
      on: worker.on.bind(worker)
    }
    const { ask } = makeChannel<ChildAnswers>(port, answers)
    const child: Child = { number, worker, ask, ended, isUp: false, isRetired: false }
    children.set(number, child)
    return child
  }

  /** Ends by force what does not end by itself. */
  const overdue = ({ worker, ended }: Child) =>
    Effect.promise(() => ended).pipe(
      Effect.timeoutOrElse({
        duration: Duration.seconds(drainSeconds + graceSeconds),
        orElse: () => Effect.sync(() => worker.process.kill("SIGKILL"))
      })
    )

  /** Drains if this process does. */
  const stop = (child: Child) =>
    Effect.suspend(() => {
      if (child.worker.isDead()) return Effect.void
      child.worker.process.kill(hasBegun() ? "SIGTERM" : "SIGINT")
      return overdue(child)
    })

  const keepRunning = Effect.fnUntraced(function* (number: number) {
    if (number > 1) yield* Deferred.await(firstUp)
    for (let crashes = 0; ; ) {
      const began = yield* Clock.currentTimeMillis
      const [how, isRetired] = yield* Effect.acquireUseRelease(
        Effect.sync(() => start(number)),
        (child) => Effect.promise(async () => [await child.ended, child.isRetired] as const),
        stop
      )
      children.delete(number)
      if (isRetired) continue
      // It has said why. Later failures may pass.
      if (number === 1 && greets) return yield* new Ended({ code: typeof how === "number" && how > 0 ? how : 1 })
      const lasted = (yield* Clock.currentTimeMillis) - began
      crashes = lasted > steadyAfter ? 1 : crashes + 1
      yield* Effect.logError("A process of the service ended by itself; another takes its place").pipe(
        Effect.annotateLogs({ process: number, ended: how, seconds: Math.round(lasted / 1000) })
      )
      yield* Effect.sleep(pauseAfter(crashes))
    }
  })

  /** Restarts one process after another. One that does not come back leaves the rest as they are. */
  const restartAll = Effect.gen(function* () {
    for (let number = 1; number <= count; number++) {
      const before = children.get(number)
      if (before !== undefined) {
        before.isRetired = true
        void before.ask("retire")
        yield* overdue(before)
      }
      yield* Effect.sleep("100 millis").pipe(
        Effect.repeat({ until: () => children.get(number) !== before && children.get(number)?.isUp === true }),
        Effect.timeout(startsWithin)
      )
    }
    yield* Effect.logInfo("All processes of the service were restarted")
  }).pipe(
    Effect.catchTag("TimeoutError", () =>
      Effect.logError("A process of the service did not come back, so the others were not restarted")
    )
  )

  const restarts = yield* Queue.sliding<void>(1)
  // A terminal that is closed sends the same signal, and then the service is to end.
  if (!isatty(0)) {
    const onHangup = () => void Queue.offerUnsafe(restarts, undefined)
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("SIGHUP", onHangup)),
      () => Effect.sync(() => process.off("SIGHUP", onHangup))
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Queue.take(restarts), restartAll)))
  }

  cluster.setupPrimary({ args: ["serve", "--jobs", String(jobs)] })
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  const running = Effect.forEach(numbers, keepRunning, { concurrency: "unbounded", discard: true })
  return yield* database === undefined ? running : Effect.raceFirst(running, database.lost)
})

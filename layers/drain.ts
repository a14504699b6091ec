import { Context, Data, Duration, Effect, Option } from "effect"
import { Environment } from "./config/config.ts"

/** The process is about to stop, and whoever spreads requests over several should pass it by. */
export class Draining extends Data.TaggedError("Draining") {}

/** A while between the signal to stop and the stop, in which everything is still answered. */
interface Drain {
  readonly hasBegun: () => boolean
  /** Whether requests should go elsewhere: it has begun, and nobody on the same address takes this process's place. */
  readonly sendsAway: () => boolean
  /** Runs once the while begins. */
  readonly onBegin: (run: () => void) => void
  /** `replaced`: another process takes this one's place on its address. */
  readonly begin: (lasts: Duration.Duration, replaced?: boolean) => void
  /** Ends with the while; at once, if it never began. */
  readonly over: Effect.Effect<void>
}

/** Of the process, because a signal is. */
export const Drain = Context.Reference<Drain>("civic-record/Drain", {
  defaultValue: () => {
    const listeners: Array<() => void> = []
    let over: Promise<void> | undefined
    let isReplaced = false
    return {
      hasBegun: () => over !== undefined,
      sendsAway: () => over !== undefined && !isReplaced,
      onBegin: (run) => listeners.push(run),
      begin: (lasts, replaced = false) => {
        if (over !== undefined) return
        isReplaced = replaced
        over = new Promise((resolve) => setTimeout(resolve, Duration.toMillis(lasts)))
        for (const run of listeners) run()
      },
      over: Effect.promise(() => over ?? Promise.resolve())
    }
  }
})

/**
 * Drains at SIGTERM, which supervisors send; Ctrl-C stops at once. The listener goes before that of the runtime, which
 * stops what it finds not draining.
 */
export const drainAtSigterm = (lasts: Duration.Duration) =>
  Effect.flatMap(Drain, ({ begin }) => {
    const onSigterm = () => begin(lasts)
    return Effect.acquireRelease(
      Effect.sync(() => process.prependListener("SIGTERM", onSigterm)),
      () => Effect.sync(() => process.off("SIGTERM", onSigterm))
    )
  })

/** How long a stop may take beyond the drain, in milliseconds; requests get five seconds of it. */
const stopsWithin = 8000

/**
 * Ends the process where its stop takes too long: a database that says nothing any more would hold it up for as long
 * as its statements may take, one after another. Nothing needs a stop in order: a process that is killed does without.
 * A database of the process's own is waited for, because it ends with the process.
 */
export const stopInTime = Effect.gen(function* () {
  const { databaseUrl, drainSeconds } = yield* Environment
  const { hasBegun } = yield* Drain
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const onSignal = () => {
    const leave = async () => {
      await run(Effect.logWarning("The stop took too long, and what was left of it is given up"))
      process.exit(0)
    }
    setTimeout(leave, stopsWithin + (hasBegun() ? drainSeconds * 1000 : 0)).unref()
  }
  if (Option.isNone(databaseUrl)) return
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, onSignal)
    }),
    () =>
      Effect.sync(() => {
        for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, onSignal)
      })
  )
})

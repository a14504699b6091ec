import { performance } from "node:perf_hooks"
import { Effect } from "effect"

/** Where an import's time goes: shares of the time since it began, 0 to 1, which add up to 1. */
export interface Spent {
  /** Nothing was being written, because nothing had been read. */
  readonly reading: number
  /** This process prepared rows. */
  readonly writing: number
  /** The database was working. */
  readonly database: number
  /** Media files were measured and stored, and nothing else kept this process busy. */
  readonly media: number
}

/** Measures where an import's time goes. */
export const makeImportClock = () => {
  const begin = performance.now()
  const loop = performance.eventLoopUtilization()
  const active = { writing: 0, media: 0 }
  const since = { writing: 0, media: 0 }
  const total = { writing: 0, media: 0 }
  const settle = (kind: "writing" | "media", change: number) => {
    const now = performance.now()
    if (active[kind] > 0) total[kind] += now - since[kind]
    since[kind] = now
    active[kind] += change
  }
  return {
    /** Counts the time of an effect; concurrent effects count once. */
    during: <A, E, R>(kind: "writing" | "media", effect: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Effect.sync(() => settle(kind, 1)),
        () => effect,
        () => Effect.sync(() => settle(kind, -1))
      ),
    spent: (): Spent => {
      settle("writing", 0)
      settle("media", 0)
      const whole = Math.max(performance.now() - begin, 1)
      const written = Math.min(total.writing / whole, 1)
      const busy = performance.eventLoopUtilization(loop).utilization
      // While batches are written, this process also reads the next ones: both are its own work.
      const writing = Math.min(written, busy * written)
      const media = Math.min(total.media / whole, written - writing)
      return { reading: 1 - written, writing, media, database: written - writing - media }
    }
  }
}

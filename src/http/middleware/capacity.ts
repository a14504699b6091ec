import { monitorEventLoopDelay } from "node:perf_hooks"
import { Context, Duration, Effect, Metric } from "effect"
import { capacityRefusals } from "../../../layers/telemetry/metrics.ts"

/**
 * The most requests that a node works on at once, and the mean delay of its event loop, over `every`, above which it
 * begins none.
 */
export const Capacity = Context.Reference("civic-record/Capacity", {
  defaultValue: () => ({ requests: 256, delay: Duration.millis(500), every: Duration.millis(500) })
})

/** How often the histogram looks at the event loop, in milliseconds; without any delay, that is what it measures. */
const resolution = 20

/** Whether the event loop is late, until the scope closes. */
const lateness = Effect.fnUntraced(function* (delay: Duration.Duration, every: Duration.Duration) {
  let isLate = false
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution })
      histogram.enable()
      const timer = setInterval(() => {
        // Without a sample the mean is NaN, which is not late.
        isLate = histogram.mean / 1e6 - resolution > Duration.toMillis(delay)
        histogram.reset()
      }, Duration.toMillis(every))
      return () => {
        clearInterval(timer)
        histogram.disable()
      }
    }),
    (end) => Effect.sync(end)
  )
  return () => isLate
})

/**
 * Begins no more requests than this node can answer soon, because one that waits for long is sent again by its caller,
 * and a queue without end answers nobody. A stream counts until its first byte.
 */
export const withinCapacity = Effect.gen(function* () {
  const { requests, delay, every } = yield* Capacity
  const isLate = yield* lateness(delay, every)
  let underWay = 0
  const end = Effect.sync(() => {
    underWay--
  })
  return <A, E, R, E2, R2>(answer: Effect.Effect<A, E, R>, otherwise: Effect.Effect<A, E2, R2>) =>
    Effect.suspend((): Effect.Effect<A, E | E2, R | R2> => {
      const because = underWay >= requests ? "requests" : isLate() ? "delay" : undefined
      if (because !== undefined) {
        return Effect.andThen(Metric.update(Metric.withAttributes(capacityRefusals, { because }), 1), otherwise)
      }
      underWay++
      return Effect.ensuring(answer, end)
    })
})

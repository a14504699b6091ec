import { monitorEventLoopDelay } from "node:perf_hooks"
import { Context, Duration, Effect, Metric } from "effect"
import { capacityRefusals } from "../../../layers/telemetry/metrics.ts"

/**
 * The most requests that a node works on at once; the mean delay of its event loop, in two spans of `every` in a row,
 * above which it begins none, because one long step, such as the first reading of a document, is no overload; and the
 * longest that more than `few` requests may be expected to wait, in two spans in a row.
 */
export const Capacity = Context.Reference("civic-record/Capacity", {
  defaultValue: () => ({
    requests: 256,
    delay: Duration.seconds(1),
    every: Duration.millis(500),
    few: 64,
    wait: Duration.seconds(2)
  })
})

/** How often the histogram looks at the event loop, in milliseconds; without any delay, that is what it measures. */
const resolution = 20

/** Whether something holds of the last two spans, given of each whether it does. */
const twiceInARow = () => {
  let [before, last] = [false, false]
  return {
    ended: (holds: boolean) => {
      before = last
      last = holds
    },
    last: () => last,
    both: () => before && last
  }
}

/** Whether the last two spans were both late, given the mean delay of each; NaN is a span without a sample. */
export const twiceLate = (delay: Duration.Duration) => {
  const { ended, both } = twiceInARow()
  return { ended: (mean: number) => ended(mean > Duration.toMillis(delay)), isLate: both }
}

/**
 * How many requests a node has room for: without a bound until, at the ends of two spans in a row, more than `few` are
 * under way and would wait longer than `wait` at the rate at which requests ended meanwhile (Little's law); then as
 * many as would not.
 */
export const expectedRoom = (few: number, wait: Duration.Duration, every: Duration.Duration) => {
  const over = twiceInARow()
  let room = few
  return {
    ended: (answered: number, underWay: number) => {
      room = Math.max(few, (answered * Duration.toMillis(wait)) / Duration.toMillis(every))
      // Once there is a bound, what is under way stays at it as long as more is asked.
      over.ended(underWay > room || (over.last() && underWay >= room / 2))
    },
    room: () => (over.both() ? room : Number.POSITIVE_INFINITY)
  }
}

/** Whether the event loop is late, until the scope closes. `ended` is called at the end of each span. */
const lateness = Effect.fnUntraced(function* (delay: Duration.Duration, every: Duration.Duration, ended: () => void) {
  const spans = twiceLate(delay)
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution })
      histogram.enable()
      const timer = setInterval(() => {
        spans.ended(histogram.mean / 1e6 - resolution)
        histogram.reset()
        ended()
      }, Duration.toMillis(every))
      return () => {
        clearInterval(timer)
        histogram.disable()
      }
    }),
    (end) => Effect.sync(end)
  )
  return spans.isLate
})

/**
 * Begins no more requests than this node can answer soon, because one that waits for long is sent again by its caller,
 * and a queue without end answers nobody. A stream counts until its first byte.
 */
export const withinCapacity = Effect.gen(function* () {
  const { requests, delay, every, few, wait } = yield* Capacity
  const { ended, room } = expectedRoom(few, wait, every)
  let [underWay, answered] = [0, 0]
  const isLate = yield* lateness(delay, every, () => {
    ended(answered, underWay)
    answered = 0
  })
  const end = Effect.sync(() => {
    underWay--
    answered++
  })
  return <A, E, R, E2, R2>(answer: Effect.Effect<A, E, R>, otherwise: Effect.Effect<A, E2, R2>) =>
    Effect.suspend((): Effect.Effect<A, E | E2, R | R2> => {
      const because = underWay >= requests ? "requests" : isLate() ? "delay" : underWay >= room() ? "wait" : undefined
      if (because !== undefined) {
        return Effect.andThen(Metric.update(Metric.withAttributes(capacityRefusals, { because }), 1), otherwise)
      }
      underWay++
      return Effect.ensuring(answer, end)
    })
})

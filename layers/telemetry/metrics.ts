import { Clock, Effect, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"

/** What happens in this process, counted as it happens. Names and units follow Prometheus: seconds, bytes, `_total`. */
const name = (rest: string) => `civic_record_${rest}`

const counter = (rest: string, description: string) => Metric.counter(name(rest), { description, incremental: true })

/** Seconds, with a bucket for every answer from a cached page to a model that is asked. */
const durations = (rest: string, description: string) =>
  Metric.histogram(name(rest), {
    description,
    boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
  })

/** By `method`, `route` as it was declared, and `status`. A stream counts until its first byte. */
export const requestSeconds = durations("http_request_duration_seconds", "Time until an answer was ready to be sent")
/** By `policy`, the name in the RateLimit headers. */
export const rateLimitRefusals = counter("rate_limit_refusals_total", "Requests refused because a limit was reached")
/** By `pool`. */
export const poolWaitSeconds = durations("database_pool_wait_seconds", "Time until a database connection was free")
export const poolRefusals = counter("database_pool_refusals_total", "Statements for which no connection became free")
export const connectionsInUse = Metric.gauge(name("database_connections_in_use"), {
  description: "Database connections in use"
})
/** By `during`: `search`, which has a budget of its own, or any other `request`. */
export const statementTimeouts = counter("database_statement_timeouts_total", "Statements canceled at their time limit")
export const searchSeconds = durations("search_duration_seconds", "Time that searches with words took")

/** By `outcome`. */
export const answers = counter("answers_total", "Public answers that can be cached between two changes of the record")
const answersBy = {
  cached: Metric.update(Metric.withAttributes(answers, { outcome: "cached" }), 1),
  made: Metric.update(Metric.withAttributes(answers, { outcome: "made" }), 1)
}
/** Counts a public answer by its `outcome`: `cached`, or `made` for this caller and all who waited for it. */
export const countAnswer = (outcome: keyof typeof answersBy): Effect.Effect<void> => answersBy[outcome]

/** Measures how long an effect takes, however it ends, and records it in seconds. */
export const measured =
  (metric: Metric.Histogram<number>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeNanos, (began) =>
      Effect.ensuring(
        effect,
        Effect.flatMap(Clock.currentTimeNanos, (ended) => Metric.update(metric, Number(ended - began) / 1e9))
      )
    )

/** The value of something that is looked up when metrics are asked for. */
export interface Reading {
  /** The whole name, as it is exposed. */
  readonly name: string
  readonly help: string
  /** `counter`: it only rises while the process runs. */
  readonly kind: "gauge" | "counter"
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

/** A reading of our own. */
export const gauge = (rest: string, help: string, value: number, labels?: Reading["labels"]): Reading => ({
  name: name(rest),
  help,
  kind: "gauge",
  value,
  ...(labels === undefined ? {} : { labels })
})

/**
 * Everything in the text format of Prometheus: what this process has counted, then the given readings. Readings are
 * kept nowhere, so one that is no longer there, such as that of a worker that has stopped, is no longer shown.
 */
export const exposition = Effect.fn("Metrics.exposition")(function* (readings: ReadonlyArray<Reading>) {
  const counted = yield* PrometheusMetrics.format()
  const read = Effect.gen(function* () {
    for (const { name, help, kind, value, labels } of readings) {
      const options = { description: help, attributes: labels ?? {} }
      yield* kind === "gauge"
        ? Metric.update(Metric.gauge(name, options), value)
        : Metric.update(Metric.counter(name, { ...options, incremental: true }), value)
    }
    return yield* PrometheusMetrics.format()
  })
  return counted + (yield* Effect.provideService(read, Metric.MetricRegistry, new Map()))
})

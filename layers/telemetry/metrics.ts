import { Clock, Effect, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"

/** The counters and histograms of this process. Names and units follow Prometheus: seconds, bytes, `_total`. */
const name = (rest: string) => `civic_record_${rest}`

const counter = (rest: string, description: string) => Metric.counter(name(rest), { description, incremental: true })

/** In seconds, with buckets from a cached page up to a model call. */
const durations = (rest: string, description: string) =>
  Metric.histogram(name(rest), {
    description,
    boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
  })

/** By `method`, `route` as declared, and `status`. A stream is measured to its first byte. */
export const requestSeconds = durations("http_request_duration_seconds", "Time until an answer was ready to be sent")
/** By `policy`, the name in the RateLimit headers. */
export const rateLimitRefusals = counter("rate_limit_refusals_total", "Requests refused because a limit was reached")
/** By `because`: `requests` under way, how long they would `wait`, the `delay` of the event loop, or open `streams`. */
export const capacityRefusals = counter("capacity_refusals_total", "Requests refused because the node is at capacity")
/** By `pool`. */
export const poolWaitSeconds = durations("database_pool_wait_seconds", "Time until a database connection was free")
export const poolRefusals = counter("database_pool_refusals_total", "Statements for which no connection became free")
export const connectionsInUse = Metric.gauge(name("database_connections_in_use"), {
  description: "Database connections in use"
})
/** By `during`: `search`, which has its own budget, or any other `request`. */
export const statementTimeouts = counter("database_statement_timeouts_total", "Statements canceled at their time limit")
export const searchSeconds = durations("search_duration_seconds", "Time that searches with words took")

/** By `outcome`. */
export const answers = counter("answers_total", "Public answers that can be cached between two changes of the record")
const answersBy = {
  cached: Metric.update(Metric.withAttributes(answers, { outcome: "cached" }), 1),
  made: Metric.update(Metric.withAttributes(answers, { outcome: "made" }), 1)
}
/** Counts a public answer by its `outcome`: `cached`, or `made` for this caller and every other that waited for it. */
export const countAnswer = (outcome: keyof typeof answersBy): Effect.Effect<void> => answersBy[outcome]

/** Records an effect's duration in seconds, however it ends. */
export const measured =
  (metric: Metric.Histogram<number>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeNanos, (began) =>
      Effect.ensuring(
        effect,
        Effect.flatMap(Clock.currentTimeNanos, (ended) => Metric.update(metric, Number(ended - began) / 1e9))
      )
    )

/** A value that is read when metrics are scraped. */
export interface Reading {
  /** The full name, as exposed. */
  readonly name: string
  readonly help: string
  /** `counter`: only rises while the process runs. */
  readonly kind: "gauge" | "counter"
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

/** A reading computed by this service. */
export const gauge = (rest: string, help: string, value: number, labels?: Reading["labels"]): Reading => ({
  name: name(rest),
  help,
  kind: "gauge",
  value,
  ...(labels === undefined ? {} : { labels })
})

/**
 * Readings in Prometheus's text format. They are not stored, so one whose source is gone, such as a stopped worker,
 * disappears.
 */
export const readingsText = (readings: ReadonlyArray<Reading>): Effect.Effect<string> =>
  Effect.gen(function* () {
    for (const { name, help, kind, value, labels } of readings) {
      const options = { description: help, attributes: labels ?? {} }
      yield* kind === "gauge"
        ? Metric.update(Metric.gauge(name, options), value)
        : Metric.update(Metric.counter(name, { ...options, incremental: true }), value)
    }
    return yield* PrometheusMetrics.format()
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))

/** All metrics of this process: its counters, then the given readings. */
export const exposition = Effect.fn("Metrics.exposition")(function* (readings: ReadonlyArray<Reading>) {
  return (yield* PrometheusMetrics.format()) + (yield* readingsText(readings))
})

/**
 * The metrics of several processes as one text: each sample with its process as a label, those of a name together, as
 * the format requires. `common` follows as it is; no process has a metric of it.
 */
export const byProcess = (texts: Readonly<Record<string, string>>, common: string): string => {
  /** The samples of a metric, by the lines that say what it is. */
  const metrics = new Map<string, Array<string>>()
  const named = (process: string, sample: string) =>
    sample.replace(/^(\w+)(?:\{| )/, (start, name) => `${name}{process="${process}"${start.endsWith("{") ? "," : "} "}`)
  for (const [process, text] of Object.entries(texts)) {
    for (const metric of text.split(/^(?=# HELP )/m)) {
      const lines = metric.split("\n").filter((line) => line !== "")
      const about = lines.filter((line) => line.startsWith("#")).join("\n")
      const samples = lines.filter((line) => !line.startsWith("#")).map((line) => named(process, line))
      metrics.set(about, [...(metrics.get(about) ?? []), ...samples])
    }
  }
  return [...metrics].map(([about, samples]) => `${[about, ...samples].join("\n")}\n`).join("") + common
}

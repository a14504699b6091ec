import { Effect, Layer, Metric } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Siblings } from "../../../layers/processes/siblings.ts"
import {
  byProcess,
  exposition,
  gauge,
  poolRefusals,
  readingsText,
  statementTimeouts
} from "../../../layers/telemetry/metrics.ts"
import { processReadings } from "../../../layers/telemetry/process-metrics.ts"
import { Feed } from "../../services/feed/feed.ts"
import { Observations } from "../../services/operators/observations.ts"
import { SearchIndex } from "../../services/search/search-index.ts"
import { Build } from "../build.ts"

/** What a process that answers readers can tell of itself, whenever it is run. */
export const ownReadings = Effect.gen(function* () {
  const feed = yield* Feed
  const index = yield* SearchIndex
  const ofProcess = yield* processReadings
  // Counters start at 0, so that an alert sees the first increment.
  for (const during of ["search", "request"]) {
    yield* Metric.update(Metric.withAttributes(statementTimeouts, { during }), 0)
  }
  yield* Metric.update(Metric.withAttributes(poolRefusals, { pool: "primary" }), 0)

  const streams = Effect.gen(function* () {
    const open = gauge("streams_open", "Readers that listen to an event stream", yield* feed.listeners)
    return yield* feed.lag.pipe(
      Effect.map((seconds) => [
        open,
        gauge("feed_lag_seconds", "Age of the oldest event that was not delivered here yet", seconds)
      ]),
      // The database is unreachable, which its own readings show.
      Effect.catchDefect(() => Effect.succeed([open]))
    )
  })

  const ofIndex = index.state.pipe(
    Effect.map(({ state, documents, parts, behind }) => [
      gauge("search_index_ready", "1 if the search index answers, 0 while SQL does", state === "ready" ? 1 : 0),
      gauge("search_index_documents", "Meetings in the search index", documents),
      gauge("search_index_segments", "Segments that a search reads, the base among them", parts),
      gauge("search_index_behind", "Meetings that have changed and are not in the search index yet", behind)
    ]),
    Effect.catch(() => Effect.succeed([]))
  )

  return Effect.map(Effect.all([ofProcess, streams, ofIndex]), (readings) => readings.flat())
})

/**
 * `GET /metrics` in the text format of Prometheus, for all processes on this address. It reads the database, but
 * answers without it too.
 */
export const MetricsRoute = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const observations = yield* Observations
    const { id, commit } = yield* Build
    const { ask, count } = yield* Siblings
    const own = yield* ownReadings
    const build = gauge("build_info", "Which build runs", 1, {
      build: id,
      ...(commit === undefined ? {} : { commit })
    })

    const text = Effect.gen(function* () {
      const { up, metrics } = ask === undefined ? { up: 0, metrics: {} } : yield* Effect.promise(() => ask("others"))
      const ofAll = [
        build,
        gauge("processes", "Processes that are to answer on this address", count),
        gauge("processes_up", "Those of them that do", up + 1),
        ...(yield* observations.read)
      ]
      if (ask === undefined) return yield* exposition([...(yield* own), ...ofAll])
      return byProcess({ 1: yield* exposition(yield* own), ...metrics }, yield* readingsText(ofAll))
    })

    yield* router.add(
      "GET",
      "/metrics",
      Effect.map(text, (text) =>
        HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
      )
    )
  })
)

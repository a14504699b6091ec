import { Effect, Layer, Metric } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { exposition, gauge, poolRefusals, statementTimeouts } from "../../../layers/telemetry/metrics.ts"
import { processReadings } from "../../../layers/telemetry/process-metrics.ts"
import { Feed } from "../../services/feed/feed.ts"
import { Observations } from "../../services/operators/observations.ts"
import { SearchIndex } from "../../services/search/search-index.ts"
import { Build } from "../build.ts"

/** `GET /metrics` in the text format of Prometheus. It reads the database, but answers without it too. */
export const MetricsRoute = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const observations = yield* Observations
    const feed = yield* Feed
    const index = yield* SearchIndex
    const { id, commit } = yield* Build
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

    yield* router.add(
      "GET",
      "/metrics",
      Effect.gen(function* () {
        const readings = [
          gauge("build_info", "Which build runs", 1, { build: id, ...(commit === undefined ? {} : { commit }) }),
          ...(yield* ofProcess),
          ...(yield* streams),
          ...(yield* ofIndex),
          ...(yield* observations.read)
        ]
        return HttpServerResponse.text(yield* exposition(readings), {
          contentType: "text/plain; version=0.0.4; charset=utf-8"
        })
      })
    )
  })
)

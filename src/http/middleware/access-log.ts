import { Clock, Effect, Metric } from "effect"
import type { HttpServerResponse } from "effect/http"
import { requestSeconds } from "../../../layers/telemetry/metrics.ts"
import type { Exchange } from "../exchange.ts"

/** One line per request, written as its response leaves. The query is left out: it may hold a grant or a signature. */
export const logAccess = (exchange: Exchange, response: HttpServerResponse.HttpServerResponse): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.logInfo(`${exchange.method} ${exchange.path} ${response.status}`).pipe(
      Effect.annotateLogs({
        request_id: exchange.requestId,
        method: exchange.method,
        path: exchange.path,
        route: exchange.route?.path ?? "none",
        status: response.status,
        ms: now - exchange.startedAt,
        bytes: exchange.method === "HEAD" ? 0 : bytesOf(response)
      })
    )
  )

/**
 * The metric series of each kind of request. Routes are few, and finding a series by its attributes takes longer than
 * the update.
 */
const series = new Map<string, typeof requestSeconds>()
const seriesOf = (method: string, route: string, status: string) => {
  const key = `${method} ${status} ${route}`
  const found = series.get(key) ?? Metric.withAttributes(requestSeconds, { method, route, status })
  series.set(key, found)
  return found
}

/** The duration of a request by route, so that unknown addresses share one series. */
export const measureRequest = (
  { method, route, startedAt }: Exchange,
  { status }: HttpServerResponse.HttpServerResponse
): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Metric.update(
      seriesOf(route === undefined ? "any" : method, route?.path ?? "none", String(status)),
      (now - startedAt) / 1000
    )
  )

const bytesOf = ({ body }: HttpServerResponse.HttpServerResponse): number | "streamed" =>
  body._tag === "Empty" ? 0 : body._tag === "FormData" ? "streamed" : (body.contentLength ?? "streamed")

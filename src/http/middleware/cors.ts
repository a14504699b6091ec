import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Exchange } from "../exchange.ts"
import type { Routes } from "../routes.ts"

const origin = { "access-control-allow-origin": "*" }
const exposed = "Accept-Ranges, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
const accepted =
  "Accept, Content-Type, If-None-Match, If-Range, Last-Event-ID, MCP-Protocol-Version, Range, X-Request-Id"
const dayInSeconds = "86400"

/**
 * Scripts on any origin may read public answers and their errors; never with credentials, and never private answers.
 */
export const withCors = ({ route }: Exchange, response: HttpServerResponse.HttpServerResponse) =>
  route?.surface === "private"
    ? response
    : HttpServerResponse.setHeaders(response, { ...origin, "access-control-expose-headers": exposed })

/**
 * The response to OPTIONS on a path that exists, else undefined. A preflight for a private operation gets no
 * permission, so that the browser refuses it.
 */
export const optionsResponse = (
  request: HttpServerRequest.HttpServerRequest,
  routes: Routes["Service"]
): HttpServerResponse.HttpServerResponse | undefined => {
  const allowed = routes.allowed(request.url)
  if (allowed.length === 0) return undefined
  const asked = request.headers["access-control-request-method"]
  const wanted = asked === undefined ? undefined : routes.match(asked.toUpperCase(), request.url)
  const granted = wanted !== undefined && wanted.surface !== "private"
  return HttpServerResponse.empty({
    status: 204,
    headers: {
      allow: allowed.join(", "),
      ...(granted
        ? {
            ...origin,
            "access-control-allow-methods": allowed.join(", "),
            "access-control-allow-headers": accepted,
            "access-control-max-age": dayInSeconds
          }
        : {})
    }
  })
}

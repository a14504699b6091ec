import { Clock, Effect, Layer, Result } from "effect"
import type { HttpServerError } from "effect/http"
import { HttpEffect, HttpIncomingMessage, HttpMiddleware, HttpRouter, HttpServerRequest } from "effect/http"
import { IpNetwork } from "effect/net"
import { Environment, InvalidSetting } from "../../layers/config.ts"
import { mediaForbidden } from "../api/errors/common.ts"
import type { Exchange } from "./exchange.ts"
import { isForbiddenMedia } from "./media/media.ts"
import { logAccess } from "./middleware/access-log.ts"
import { withCaching } from "./middleware/caching.ts"
import { optionsResponse, withCors } from "./middleware/cors.ts"
import { failureResponse, withErrorShape } from "./middleware/error-shape.ts"
import { requestIdOf, withRequestId } from "./middleware/request-id.ts"
import { securityHeaders, withSecurityHeaders } from "./middleware/security-headers.ts"
import { bodyLimitSize, malformed, malformedBody } from "./middleware/well-formed.ts"
import { problemResponse } from "./problem.ts"
import { Routes } from "./routes.ts"

/** Networks whose `X-Forwarded-*` headers are believed; a single address is a network of its own. */
const trustedNetworks = (entries: ReadonlyArray<string>) =>
  Effect.forEach(entries, (entry) =>
    Result.match(IpNetwork.fromString(entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`), {
      onSuccess: Effect.succeed,
      onFailure: () =>
        Effect.fail(
          new InvalidSetting({
            setting: "TRUSTED_PROXIES",
            message: `TRUSTED_PROXIES must be addresses or networks joined by commas, such as 10.0.0.0/8; ${entry} is neither.`
          })
        )
    })
  )

/** How long an answer may take to begin. A model is asked for 45 seconds at most; nothing else takes nearly as long. */
const longestAnswer = "1 minute"

/**
 * What stands around the router, in one place and in this order. On the way in: the client's address, the request id,
 * what is malformed whatever it asks for. On the way out, for every cause: the one error shape, caching, then the
 * headers that everything carries, compression, and the line in the log. What is registered last, innermost, is what
 * a response meets last on its way.
 */
export const EdgeLive = Layer.unwrap(
  Effect.gen(function* () {
    const { baseUrl, trustedProxies } = yield* Environment
    const routes = yield* Routes
    const forwarded = HttpMiddleware.xForwardedHeaders({ trustedProxies: yield* trustedNetworks(trustedProxies) })
    const secured = withSecurityHeaders(securityHeaders(baseUrl))
    const compressed = HttpMiddleware.compression({ algorithms: ["br", "gzip"], minSize: 1024 })

    return HttpRouter.middleware<{ handles: HttpServerError.HttpServerError }>()(
      (app) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const exchange: Exchange = {
            requestId: requestIdOf(request.headers["x-request-id"]),
            method: request.method,
            path: request.url.split("?", 1)[0] ?? "/",
            contentType: request.headers["content-type"],
            route: routes.match(request.method, request.url),
            startedAt: yield* Clock.currentTimeMillis
          }
          const answer = Effect.suspend(() => {
            // A media key has one spelling: every other one is refused before anybody tries to read it.
            if (isForbiddenMedia(request)) return Effect.succeed(problemResponse(mediaForbidden()))
            const wrong = malformed(request) ?? (exchange.route === undefined ? undefined : malformedBody(request))
            if (wrong !== undefined) return Effect.succeed(problemResponse(wrong))
            const options = request.method === "OPTIONS" ? optionsResponse(request, routes) : undefined
            return options === undefined
              ? Effect.interruptible(Effect.timeout(app, longestAnswer))
              : Effect.succeed(options)
          }).pipe(
            Effect.catchCause((cause) => failureResponse(cause, exchange, routes.allowed(request.url))),
            Effect.map((response) => withCaching(exchange, request, response)),
            HttpEffect.withPreResponseHandler((_, sent) => Effect.as(logAccess(exchange, sent), sent)),
            compressed,
            HttpEffect.withPreResponseHandler((_, response) =>
              Effect.succeed(withRequestId(exchange, secured(withCors(exchange, withErrorShape(exchange, response)))))
            )
          )
          yield* Effect.annotateCurrentSpan("request_id", exchange.requestId)
          return yield* Effect.annotateLogs(answer, "request_id", exchange.requestId)
        }).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyLimitSize), forwarded),
      { global: true }
    )
  })
)

import { Clock, Effect, Layer } from "effect"
import type { HttpServerError } from "effect/http"
import {
  HttpEffect,
  HttpIncomingMessage,
  HttpMiddleware,
  HttpRouter,
  HttpServerRequest,
  type HttpServerResponse
} from "effect/http"
import { Environment } from "../../layers/config/config.ts"
import { ReadsSince } from "../../layers/db/public-state.ts"
import { trustedNetworks } from "../../layers/networks/trusted-networks.ts"
import { atCapacity, mediaForbidden } from "../api/errors/common.ts"
import { cacheFirst } from "./cache/cache-first.ts"
import { withCaching } from "./cache/cache-headers.ts"
import { codingLevels, codingOf, smallestCoded } from "./content-coding.ts"
import { type Exchange, pathOf, plainTarget } from "./exchange.ts"
import { isForbiddenMedia } from "./media/media.ts"
import { logAccess, measureRequest } from "./middleware/access-log.ts"
import { withinCapacity } from "./middleware/capacity.ts"
import { optionsResponse, withCors } from "./middleware/cors.ts"
import { failureResponse, type Refuse, withErrorShape } from "./middleware/error-shape.ts"
import { requestIdOf, withRequestId } from "./middleware/request-id.ts"
import { securityHeaders, withSecurityHeaders } from "./middleware/security-headers.ts"
import { bodyLimitSize, malformed, malformedBody } from "./middleware/well-formed.ts"
import { refusing } from "./pages/refusals.ts"
import { problemResponse } from "./problem.ts"
import { Routes } from "./routes.ts"

/** How long an answer may take to begin. A model is asked for 45 seconds at most; nothing else takes nearly as long. */
const longestAnswer = "1 minute"

/** Answered whatever the load, so that a busy node is not taken for a dead one. */
const isHealth = (exchange: Exchange): boolean => exchange.route?.path.startsWith("/health") === true

/** Whether a caller may have written before, through whichever node: they see what they wrote. */
const mayHaveWritten = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers.cookie !== undefined || headers.authorization !== undefined

/**
 * Everything around the router, in one place and in this order. On the way in: the client's address, the request id,
 * faults that any request can have, the response cache, and the node's capacity. On the way out, whatever the cause:
 * the one error shape, caching, the headers that everything carries, compression, and the line in the log. What is
 * registered last, innermost, is what a response passes last.
 */
export const EdgeLive = Layer.unwrap(
  Effect.gen(function* () {
    const { baseUrl, trustedProxies } = yield* Environment
    const routes = yield* Routes
    const refusal = yield* refusing
    const forwarded = HttpMiddleware.xForwardedHeaders({ trustedProxies: yield* trustedNetworks(trustedProxies) })
    const secured = withSecurityHeaders(securityHeaders(baseUrl))
    const finish = (exchange: Exchange, response: HttpServerResponse.HttpServerResponse) =>
      secured(withCors(exchange, withErrorShape(exchange, response)))
    const { cachedOr, cachedPage } = yield* cacheFirst
    const admitted = yield* withinCapacity
    // The library takes the first acceptable coding and ignores q-values.
    const compressed = {
      br: HttpMiddleware.compression({ algorithms: ["br"], minSize: smallestCoded, levels: codingLevels }),
      gzip: HttpMiddleware.compression({ algorithms: ["gzip"], minSize: smallestCoded, levels: codingLevels }),
      identity: HttpMiddleware.compression({ algorithms: [] })
    }

    return HttpRouter.middleware<{ handles: HttpServerError.HttpServerError }>()(
      (app) =>
        Effect.gen(function* () {
          const sent = yield* HttpServerRequest.HttpServerRequest
          const request = sent.modify({ url: plainTarget(sent.url) })
          const exchange: Exchange = {
            requestId: requestIdOf(request.headers["x-request-id"]),
            method: request.method,
            path: pathOf(request.url),
            contentType: request.headers["content-type"],
            route: routes.match(request.method, request.url),
            startedAt: yield* Clock.currentTimeMillis
          }
          const coding = codingOf(request)
          yield* Effect.annotateCurrentSpan("request_id", exchange.requestId)
          const wrongTarget = malformed(request)
          const refuse: Refuse = (error) => refusal(request, error)
          const answer = Effect.suspend(() => {
            // A media key has one spelling: any other is refused before anything tries to read it.
            if (isForbiddenMedia(request, exchange.route)) return Effect.succeed(problemResponse(mediaForbidden()))
            // What is wrong with the body of an operation that needs a credential is said after the credential is
            // settled.
            const wrong = wrongTarget ?? (exchange.route?.secured === false ? malformedBody(request) : undefined)
            if (wrong !== undefined) return refuse(wrong)
            const options = request.method === "OPTIONS" ? optionsResponse(request, routes) : undefined
            if (options !== undefined) return Effect.succeed(options)
            const asked = { request, coding, operation: exchange.route?.cached }
            const made = Effect.interruptible(
              Effect.timeout(Effect.provideService(app, HttpServerRequest.HttpServerRequest, request), longestAnswer)
            )
            if (isHealth(exchange)) return made
            const refused = Effect.suspend(() => refuse(atCapacity()))
            const otherwise = Effect.flatMap(cachedPage(asked), (cached) =>
              cached === undefined ? refused : Effect.succeed(cached)
            )
            return cachedOr(asked, admitted(made, otherwise), refused)
          }).pipe(
            Effect.catchCause((cause) => failureResponse(cause, exchange, routes.allowed(request.url), refuse)),
            Effect.map((response) => withCaching(exchange, request.headers["if-none-match"], response)),
            HttpEffect.withPreResponseHandler((_, sent) =>
              Effect.as(Effect.andThen(measureRequest(exchange, sent), logAccess(exchange, sent)), sent)
            ),
            compressed[coding],
            HttpEffect.withPreResponseHandler((_, response) =>
              Effect.succeed(withRequestId(exchange, finish(exchange, response)))
            )
          )
          const since = mayHaveWritten(request) ? exchange.startedAt : undefined
          return yield* answer.pipe(
            Effect.provideService(ReadsSince, since),
            Effect.annotateLogs("request_id", exchange.requestId)
          )
        }).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyLimitSize), forwarded),
      { global: true }
    )
  })
)

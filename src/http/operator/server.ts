import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { HttpServerError } from "effect/http"
import {
  HttpEffect,
  HttpIncomingMessage,
  HttpMiddleware,
  HttpRouter,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { isLoopback, urlHost } from "../../../layers/networks/host.ts"
import { type WireError, wireError } from "../../api/errors/classes.ts"
import { invalidRequest } from "../../api/errors/common.ts"
import { refusalPage } from "../../console/failure.ts"
import { Assets } from "../../pages/assets.ts"
import { Build } from "../build.ts"
import { type Exchange, pathOf } from "../exchange.ts"
import { logAccess } from "../middleware/access-log.ts"
import { failureResponse, withErrorShape } from "../middleware/error-shape.ts"
import { requestIdOf, withRequestId } from "../middleware/request-id.ts"
import { securityHeaders, withSecurityHeaders } from "../middleware/security-headers.ts"
import { bodyLimitSize, malformed } from "../middleware/well-formed.ts"
import { drainedFirst, listen } from "../node-server.ts"
import { problemResponse } from "../problem.ts"
import { Routes, recordingRouter, routerConfig } from "../routes.ts"
import { consoleResponse } from "./console-routes.ts"
import { trespassOf } from "./trespass.ts"

const refusals = {
  host: invalidRequest("The host", "is not one of this machine's own names", "Use 127.0.0.1 or localhost."),
  origin: wireError(
    "cross_origin",
    "The request was sent from another origin.",
    "Open the operators' own address, and send it from a page there."
  )
} as const

/** What people do next where the console has no page for them. */
const hints: Readonly<Record<number, string>> = {
  404: "The sections of the console are above.",
  405: "This address does something when a button is pressed; it is no page. Go back to the page with the button.",
  500: "The log says what happened. Try it again.",
  503: "Try it again in a moment."
}

/**
 * The edge of the operators' routes: who may ask, the one error shape, no caching, and the headers on every response.
 */
const OperatorEdge = Layer.unwrap(
  Effect.gen(function* () {
    const { baseUrl, operatorHost, operatorUrl } = yield* Environment
    const assets = yield* Assets
    const routes = yield* Routes
    // Plain http unless operators have an address on https, whatever the public address is.
    const address = Option.getOrElse(operatorUrl, () => "http:")
    // On loopback nobody is in between, whatever address the console has elsewhere.
    const scheme = isLoopback(urlHost(operatorHost)) ? undefined : URL.parse(address)?.protocol
    const secured = withSecurityHeaders({ ...securityHeaders(address), "cache-control": "no-store" })

    return HttpRouter.middleware<{ handles: HttpServerError.HttpServerError }>()(
      (app) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const exchange: Exchange = {
            requestId: requestIdOf(request.headers["x-request-id"]),
            method: request.method,
            path: pathOf(request.url),
            contentType: request.headers["content-type"],
            route: routes.match(request.method, request.url),
            startedAt: yield* Clock.currentTimeMillis
          }
          const refuse = (error: WireError) => Effect.succeed(problemResponse(error))
          // People get a page with ways on; the scripts that ask /metrics and /health get the error shape.
          const isBrowser = request.headers.accept?.includes("text/html") === true
          const refusePage = ({ status, message, headers }: WireError) =>
            Effect.succeed(
              HttpServerResponse.setHeaders(
                consoleResponse(refusalPage({ status, message, hint: hints[status] ?? "" }), {
                  ...{ assets, publicUrl: baseUrl, store: undefined, signedIn: undefined, notice: undefined }
                }),
                headers ?? {}
              )
            )
          const trespass = trespassOf(request.headers, request.method, { listensOn: operatorHost, scheme })
          const trouble = trespass === undefined ? malformed(request) : refusals[trespass]
          return yield* (trouble === undefined ? Effect.interruptible(app) : refuse(trouble)).pipe(
            Effect.catchCause((cause) =>
              failureResponse(cause, exchange, routes.allowed(request.url), isBrowser ? refusePage : refuse)
            ),
            Effect.map((response) => withRequestId(exchange, secured(withErrorShape(exchange, response)))),
            HttpEffect.withPreResponseHandler((_, sent) => Effect.as(logAccess(exchange, sent), sent)),
            Effect.annotateLogs({ request_id: exchange.requestId, listener: "operators" })
          )
        }).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyLimitSize)),
      { global: true }
    )
  })
)

/** The default port (contract section 10). */
const defaultPort = 8788

/**
 * Logs where the operators' listener is, if not at the default: a second service on this machine gets any free port.
 */
export class OperatorAddress extends Context.Service<OperatorAddress, string>()("civic-record/OperatorAddress") {}

const OperatorListener = Layer.effect(
  HttpServer.HttpServer,
  Effect.gen(function* () {
    const { operatorHost: host, operatorPort } = yield* Environment
    const on = (port: number) => listen({ host, port }, "OPERATOR_PORT")
    const server = yield* Option.match(operatorPort, {
      onNone: () => Effect.catch(on(defaultPort), () => on(0)),
      onSome: on
    })
    if (!isLoopback(urlHost(host))) {
      yield* Effect.logWarning(
        "Operators are answered outside of loopback: whoever reaches OPERATOR_HOST reads /metrics"
      )
    }
    yield* Effect.logInfo(`Operators are answered at ${HttpServer.formatAddress(server.address)}`)
    return server
  })
)

/**
 * The server of the operators, on `OPERATOR_HOST` (loopback unless it is set) and `OPERATOR_PORT`; never on the public
 * port. It serves the given routes, each a layer that adds to `HttpRouter`:
 * `OperatorServer(Layer.mergeAll(MetricsRoute, …))`.
 */
export const OperatorServer = <E, R>(routes: Layer.Layer<never, E, R>) =>
  drainedFirst(
    HttpRouter.serve(
      Layer.mergeAll(routes, OperatorEdge.pipe(Layer.provide(Assets.layer))).pipe(Layer.provide(recordingRouter)),
      {
        routerConfig,
        disableLogger: true,
        disableListenLog: true
      }
    )
  ).pipe(
    // A router of its own: the public server must know nothing of these routes.
    Layer.provide([Layer.fresh(Routes.layer), Build.layer]),
    Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => url.startsWith("/metrics"))),
    Layer.merge(Layer.effect(OperatorAddress, HttpServer.addressFormattedWith(Effect.succeed))),
    Layer.provide(OperatorListener),
    Layer.provide(NodeHttpServer.layerHttpServices)
  )

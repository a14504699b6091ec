import { Cause, Effect, Metric, Predicate, type Types } from "effect"
import { HttpServerError, HttpServerResponse } from "effect/http"
import { SqlError } from "effect/sql"
import { whyUnavailable } from "../../../layers/db/unavailable.ts"
import { statementTimeouts } from "../../../layers/telemetry/metrics.ts"
import type { WireError } from "../../api/errors/classes.ts"
import {
  bodyTooLarge,
  internal,
  invalidRequest,
  methodNotAllowed,
  noSuchRoute,
  stopping,
  unavailable,
  unsupportedMediaType
} from "../../api/errors/common.ts"
import type { Exchange } from "../exchange.ts"
import { problemResponse } from "../problem.ts"
import { bodyLimit } from "./well-formed.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Answers with an error, in the form that suits this caller. */
export type Refuse = (error: WireError) => Effect.Effect<Response>

/**
 * Turns any cause into an answer by `refuse`. The service's own faults go to the log, and none of their detail to the
 * caller. Interruption stays interruption: the caller hung up, or the server is stopping.
 */
export const failureResponse = (
  cause: Cause.Cause<unknown>,
  exchange: Exchange,
  allowed: ReadonlyArray<string>,
  refuse: Refuse
): Effect.Effect<Response, Types.unhandled> => {
  if (Cause.hasInterruptsOnly(cause)) {
    return Effect.failCause(Cause.fromReasons<Types.unhandled>(cause.reasons.filter(Cause.isInterruptReason)))
  }
  const faults = cause.reasons.flatMap((reason) =>
    reason._tag === "Fail" ? [reason.error] : reason._tag === "Die" ? [reason.defect] : []
  )
  const response = faults.find(HttpServerResponse.isHttpServerResponse)
  if (response !== undefined) return Effect.succeed(response)
  const why = faults.map(whyUnavailable).find(Predicate.isNotUndefined)
  if (why !== undefined) {
    return Effect.andThen(
      faults.some(isStatementTimeout)
        ? Metric.update(Metric.withAttributes(statementTimeouts, { during: "request" }), 1)
        : Effect.void,
      Effect.andThen(Effect.logWarning(why, Cause.pretty(cause).split("\n")[0]), refuse(unavailable(why)))
    )
  }
  const asked = faults.find(HttpServerError.isHttpServerError)
  if (asked !== undefined && asked.reason._tag === "RouteNotFound") return unrouted(exchange, allowed, refuse)
  if (asked !== undefined && asked.reason._tag === "RequestParseError") {
    return refuse(
      asked.reason.reason === "BodyTooLarge"
        ? bodyTooLarge(bodyLimit)
        : invalidRequest("The body", "ended early or is not UTF-8", "Send the whole body, encoded in UTF-8.")
    )
  }
  return Effect.andThen(Effect.logError("the request failed", cause), refuse(internal(exchange.requestId)))
}

const isStatementTimeout = (fault: unknown) =>
  SqlError.isSqlError(fault) && fault.reason._tag === "StatementTimeoutError"

const unrouted = ({ method, path }: Exchange, allowed: ReadonlyArray<string>, refuse: Refuse) =>
  refuse(allowed.length === 0 ? noSuchRoute(path) : methodNotAllowed(method, path, allowed))

/** Gives the one error shape to errors that the library answers itself, without a body or with a line of text. */
export const withErrorShape = (exchange: Exchange, response: Response): Response => {
  const isBare = response.body._tag === "Empty" || response.headers["content-type"]?.startsWith("text/plain") === true
  if (response.status < 400 || !isBare) return response
  const problem = problemResponse(bare(response.status, exchange))
  return HttpServerResponse.setHeaders(HttpServerResponse.setStatus(problem, response.status), {
    ...response.headers,
    ...problem.headers
  })
}

const bare = (status: number, exchange: Exchange): WireError => {
  switch (status) {
    case 413:
      return bodyTooLarge(bodyLimit)
    case 415:
      return unsupportedMediaType(exchange.contentType)
    case 404:
      return noSuchRoute(exchange.path)
    case 503:
      return stopping()
    default:
      return status < 500
        ? invalidRequest("The request", "could not be understood", "GET /openapi.json describes every operation.")
        : internal(exchange.requestId)
  }
}

import { Cause, Effect, Predicate, type Types } from "effect"
import { HttpServerError, HttpServerResponse } from "effect/http"
import { SqlError } from "effect/sql"
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
import { problemResponse, retryAfterSeconds } from "../problem.ts"
import { bodyLimit } from "./well-formed.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Answers with an error, in the form that this caller gets errors in. */
export type Refuse = (error: WireError, headers?: Readonly<Record<string, string>>) => Effect.Effect<Response>

/**
 * Any cause as an answer by `refuse`. What is ours to mend goes to the log, and nothing of it to the caller.
 * Interruption stays what it is: the caller hung up, or the server is stopping.
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
  if (faults.some(isUnreachable)) {
    return Effect.andThen(
      Effect.logWarning("the database cannot be reached", Cause.pretty(cause).split("\n")[0]),
      refuse(unavailable(retryAfterSeconds), { "retry-after": String(retryAfterSeconds) })
    )
  }
  const asked = faults.find(HttpServerError.isHttpServerError)
  if (asked !== undefined && asked.reason._tag === "RouteNotFound") return unrouted(exchange, allowed, refuse)
  if (asked !== undefined && asked.reason._tag === "RequestParseError") {
    return refuse(
      asked.reason.reason === "BodyTooLarge"
        ? bodyTooLarge(bodyLimit)
        : invalidRequest("The body", "could not be read to its end", "Send all of it, in UTF-8.")
    )
  }
  return Effect.andThen(Effect.logError("the request failed", cause), refuse(internal(exchange.requestId)))
}

const unrouted = ({ method, path }: Exchange, allowed: ReadonlyArray<string>, refuse: Refuse) =>
  allowed.length === 0
    ? refuse(noSuchRoute(path))
    : refuse(methodNotAllowed(method, path, allowed), { allow: allowed.join(", ") })

/** A fault of the connection, and not of a statement. */
const isUnreachable = (fault: unknown): boolean =>
  SqlError.isSqlError(fault)
    ? fault.reason._tag === "ConnectionError" || fault.reason._tag === "AuthenticationError"
    : Predicate.hasProperty(fault, "cause") && fault.cause !== fault && isUnreachable(fault.cause)

/** Gives what the library answers by itself, an error with no body or a line of text, the one shape as well. */
export const withErrorShape = (exchange: Exchange, response: Response): Response => {
  const isBare = response.body._tag === "Empty" || response.headers["content-type"]?.startsWith("text/plain") === true
  if (response.status < 400 || !isBare) return response
  const problem = problemResponse(
    bare(response.status, exchange),
    response.status === 503 ? { "retry-after": String(retryAfterSeconds) } : {}
  )
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
      return stopping(retryAfterSeconds)
    default:
      return status < 500
        ? invalidRequest("The request", "could not be understood", "GET /openapi.json describes every operation.")
        : internal(exchange.requestId)
  }
}

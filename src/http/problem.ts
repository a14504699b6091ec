import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import type { ErrorBody } from "../../schema/errors.ts"
import type { WireError } from "../api/errors/classes.ts"

/** An error response for causes that never reach a handler; the same bytes that the contract encodes. */
export const problemResponse = (error: WireError): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(problemText(error), {
    status: error.status,
    contentType: "application/json",
    headers: { ...error.headers, "cache-control": "no-store" }
  })

export const problemText = ({ error, message, hint }: ErrorBody): string => JSON.stringify({ error, message, hint })

/** Sets headers on the response to this request, in place of those of the same name set before. */
export const answerWithHeaders = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers)))

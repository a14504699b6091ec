import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import type { ErrorBody } from "../../schema/errors.ts"
import type { WireError } from "../api/errors/classes.ts"

/** How long a caller is told to wait for a database that is away. */
export const retryAfterSeconds = 5

/** An error as it is sent; what the contract encodes for a handler, for causes that never reach one. */
export const problemResponse = (
  error: WireError,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(problemText(error), {
    status: error.status,
    contentType: "application/json",
    headers: { ...headers, "cache-control": "no-store" }
  })

export const problemText = ({ error, message, hint }: ErrorBody): string => JSON.stringify({ error, message, hint })

/** Puts headers on whatever this request is answered with, in place of those of the same name set before. */
export const answerWithHeaders = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers)))

import { randomUUID } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import type { Exchange } from "../exchange.ts"

const valid = /^[A-Za-z0-9._-]{8,128}$/

/** The caller's `X-Request-Id` if valid, so that a call can be traced end to end; else a new UUID. */
export const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && valid.test(sent) ? sent : randomUUID()

export const withRequestId = ({ requestId }: Exchange, response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setHeader(response, "x-request-id", requestId)

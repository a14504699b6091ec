import type { HttpServerRequest } from "effect/http"

const safe = ["GET", "HEAD", "OPTIONS"]

/**
 * Whether a request that changes something was sent by a page on another origin with a reader's cookie. Browsers say where
 * a request comes from (Fetch Metadata; `Origin`, RFC 6454); a program that does not is not a browser. The operation says
 * whether its GET changes something, because one path can be spelled in many ways.
 */
export const isCrossOrigin = (
  request: HttpServerRequest.HttpServerRequest,
  changesOnGet: boolean,
  baseUrl: string
): boolean => {
  const { origin, host, cookie, "sec-fetch-site": site } = request.headers
  if (cookie === undefined || (safe.includes(request.method) && !changesOnGet)) return false
  if (origin !== undefined) return origin !== new URL(baseUrl).origin && !isOwn(origin, host)
  return site !== undefined && site !== "same-origin" && site !== "none"
}

/** The address that the browser itself used for this service, such as localhost for 127.0.0.1. */
const isOwn = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && host !== undefined && new URL(origin).host === host

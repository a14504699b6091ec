import { hash } from "node:crypto"
import { Headers, HttpServerResponse } from "effect/http"
import type { SurfaceKind } from "../../api/surface.ts"
import type { Exchange } from "../exchange.ts"

type Response = HttpServerResponse.HttpServerResponse

/** What caches may do with a response, by its surface (contract section 1). */
const directives: Record<SurfaceKind, string> = {
  public: "public, max-age=60, stale-while-revalidate=300",
  by_viewer: "public, max-age=60, stale-while-revalidate=300",
  uncached: "no-store",
  private: "private, no-store"
}
const noStore = "no-store"

/**
 * Says what caches may do, gives a public response its weak ETag, and answers 304 to a caller that already has it. A
 * handler's own `Cache-Control` stands; an error is never stored.
 */
export const withCaching = (exchange: Exchange, ifNoneMatch: string | undefined, response: Response): Response => {
  if (exchange.method === "OPTIONS") return response
  if (response.status >= 400) return HttpServerResponse.setHeader(response, "cache-control", noStore)
  const surface = exchange.route?.surface
  const isRead = exchange.method === "GET" || exchange.method === "HEAD"
  const stated = response.headers["cache-control"]
  const directive = stated ?? (isRead && surface !== undefined ? directives[surface] : noStore)
  const vary = [
    response.headers.vary,
    surface === "by_viewer" ? "Cookie" : undefined,
    directive.startsWith("public") ? "Accept-Encoding" : undefined
  ].filter((field) => field !== undefined)
  const answer = HttpServerResponse.setHeaders(response, {
    "cache-control": directive,
    ...(vary.length === 0 ? {} : { vary: vary.join(", ") })
  })
  if (!isRead || answer.status !== 200) return answer
  // The two tiers at one address carry different tags, so that neither is taken for the other.
  const tagged = directive.startsWith("public") || surface === "by_viewer" ? withEtag(answer) : answer
  return hasFresh(ifNoneMatch, tagged.headers.etag) ? notModified(tagged) : tagged
}

/** Weak: the bytes differ by `Content-Encoding`, their meaning does not (RFC 9110, section 8.8.1). */
export const withEtag = (response: Response): Response =>
  response.headers.etag !== undefined || response.body._tag !== "Uint8Array"
    ? response
    : HttpServerResponse.setHeader(
        response,
        "etag",
        `W/"${hash("sha256", response.body.body, "base64url").slice(0, 27)}"`
      )

const opaque = (tag: string) => tag.trim().replace(/^W\//, "")

/** RFC 9110, section 13.1.2: weak comparison, and `*` for whatever there is. */
const hasFresh = (ifNoneMatch: string | undefined, etag: string | undefined): boolean =>
  ifNoneMatch !== undefined &&
  etag !== undefined &&
  (ifNoneMatch.trim() === "*" ||
    (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => opaque(tag) === opaque(etag)))

const notModified = (response: Response): Response =>
  HttpServerResponse.empty({
    status: 304,
    headers: Headers.removeMany(response.headers, ["content-type", "content-length", "content-encoding"])
  })

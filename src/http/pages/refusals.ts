import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { WireError } from "../../api/errors/classes.ts"
import { failurePage } from "../../pages/failure.ts"
import { Locations } from "../../services/directory/locations.ts"
import { sessionCookie } from "../cookies.ts"
import { problemResponse } from "../problem.ts"
import { errorForm } from "./negotiation.ts"
import { addressOf, redirect, showing } from "./show.ts"

/** Addresses of programs, where an error is always in the one error shape (spec section 7). */
const forPrograms = /^\/(?:api|assets|health|mcp|openapi\.json|version|\.well-known)(?:\/|$)/

/**
 * Parts of a path that may name a place or a body: all of its words, then those of its last segment, then of its first.
 */
const namesIn = (path: string): ReadonlyArray<string> => {
  const parts = decodeURIComponent(path)
    .replace(/^\/(?:in|places|agencies|meetings|clips)\//, "/")
    .split("/")
    .filter((part) => !/^\d{4}-\d{2}-\d{2}/.test(part))
    .map((part) => part.replace(/[^\p{L}\p{N}]+/gu, " ").trim())
    .filter((part) => part !== "")
  return [...new Set([parts.join(" "), parts.at(-1) ?? "", parts[0] ?? ""])].map((words) => words.slice(0, 80))
}

const isRead = ({ method }: HttpServerRequest.HttpServerRequest) => method === "GET" || method === "HEAD"

/**
 * A path without the slashes at its end, else undefined. One that begins with two slashes, or with a backslash, would
 * lead to another site, and stays as it is.
 */
const withoutSlash = (path: string): string | undefined => /^(\/[^/\\].*?)\/+$/.exec(path)?.[1]

/**
 * Answers an error: with a page for a caller that wants one, at a page's address; else in the one error shape. A page
 * that does not exist suggests the most similar names, or redirects to the same address without a slash at its end.
 */
export const refusing = Effect.gen(function* () {
  const show = yield* showing
  const locations = yield* Locations

  /** Suggestions are a courtesy: without a database, the page has none. */
  const nearest = (path: string) =>
    Effect.suspend(() => Effect.forEach(namesIn(path), locations.search)).pipe(
      Effect.map((found) => {
        const all = found.flatMap(({ results }) => results)
        return all.filter(({ path }, index) => all.findIndex((one) => one.path === path) === index)
      }),
      Effect.catchCause(() => Effect.succeed([]))
    )

  return (
    request: HttpServerRequest.HttpServerRequest,
    error: WireError
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const { path, isMarkdown } = addressOf(request)
    const bare = withoutSlash(path)
    if (error.status === 404 && bare !== undefined && isRead(request) && !forPrograms.test(path)) {
      return Effect.succeed(redirect(request, bare))
    }
    const form = isMarkdown ? "markdown" : errorForm(request.headers.accept)
    if (form === "json" || forPrograms.test(path)) return Effect.succeed(problemResponse(error))
    return Effect.map(error.status === 404 ? nearest(path) : Effect.succeed([]), (results) => {
      const { status, message, hint } = error
      const q = new URL(request.url, "http://localhost").searchParams.get("q") ?? undefined
      const page = failurePage({ status, message, hint, nearest: results, q })
      // The database may be unreachable, so the session is not checked.
      const signedIn = request.cookies[sessionCookie] !== undefined
      return HttpServerResponse.setHeaders(show(request, page, signedIn, form), error.headers ?? {})
    })
  }
})

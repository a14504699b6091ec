import { withPlainNames } from "../../schema/query-names.ts"
import type { MatchedRoute } from "./routes.ts"

/** One request, as the layers around the router know it. */
export interface Exchange {
  readonly requestId: string
  readonly method: string
  /** The request's target without its query, which may hold secrets (see `pathOf`). */
  readonly path: string
  readonly contentType: string | undefined
  readonly route: MatchedRoute | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/**
 * Characters that some readers of addresses take for the start of a query, as they are or percent-encoded any number of
 * times.
 */
const queryStart = /[?;#]|%(?:25)*(?:3[fb]|23)/i

/**
 * A token, wherever it stands in a path: known by its form, 32 random characters or more of base64url, because a path
 * that was mistyped on the way leads to no route that could say where its secret is. Slugs have one case.
 */
const secret = /(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{32,}/g
const withPlainLetters = (path: string): string =>
  path.replace(/%([2-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/**
 * A target up to the start of its query, without secrets. A link whose `?` was encoded on its way, `/in/x%3Fst=...`,
 * has a path that contains a grant, which must not be logged; neither must the token of a calendar or a drill.
 */
export const pathOf = (target: string): string => {
  const end = target.search(queryStart)
  const path = end === -1 ? target : target.slice(0, end)
  const plain = withPlainLetters(path)
  const shown = plain.replace(secret, "…")
  return shown === plain ? path : shown
}

/** A target with plain parameter names (contract section 1). */
export const plainTarget = (target: string): string => {
  const at = target.indexOf("?")
  return at === -1 ? target : target.slice(0, at + 1) + withPlainNames(target.slice(at + 1))
}

/** Whether a target has its query where every reader looks for it, and no secret outside of it. */
export const hasPlainQuery = (target: string): boolean =>
  !target.includes("#") && pathOf(target) === target.split("?", 1)[0]

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

/** The path segment before a secret: the token of a calendar. */
const beforeSecret = /^\/+(?:md\/+)?calendar\/+(?=.)/i
const withPlainLetters = (path: string): string =>
  path.replace(/%([2-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/**
 * A target up to the start of its query. A link whose `?` was encoded on its way, `/in/x%3Fst=...`, has a path that
 * contains a grant, which must not be logged; neither must the token of a calendar.
 */
export const pathOf = (target: string): string => {
  const end = target.search(queryStart)
  const path = end === -1 ? target : target.slice(0, end)
  return beforeSecret.test(withPlainLetters(path)) ? "/calendar/…" : path
}

/** A target with plain parameter names (contract section 1). */
export const plainTarget = (target: string): string => {
  const at = target.indexOf("?")
  return at === -1 ? target : target.slice(0, at + 1) + withPlainNames(target.slice(at + 1))
}

/** Whether a target has its query where every reader looks for it, and no secret outside of it. */
export const hasPlainQuery = (target: string): boolean =>
  !target.includes("#") && pathOf(target) === target.split("?", 1)[0]

import type { MatchedRoute } from "./routes.ts"

/** One request, as the layers around the router know it. */
export interface Exchange {
  readonly requestId: string
  readonly method: string
  /** The request's target, without its query, which may hold secrets. */
  readonly path: string
  readonly contentType: string | undefined
  readonly route: MatchedRoute | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

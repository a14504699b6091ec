import type { MatchedRoute } from "./routes.ts"

/** One request, as what stands around the router knows it. */
export interface Exchange {
  readonly requestId: string
  readonly method: string
  /** The request's target without its query, which may hold secrets. */
  readonly path: string
  readonly contentType: string | undefined
  readonly route: MatchedRoute | undefined
  /** Milliseconds, by the clock. */
  readonly startedAt: number
}

import type { Credentials } from "../support/actors.ts"

/** How an operation is called; an anonymous GET by default. */
export interface Call {
  readonly path: string
  readonly who?: Credentials
  readonly method?: string
  readonly body?: unknown
  /** Only the beginning of the response is read: it has no end. */
  readonly streams?: boolean
}

export interface Calls {
  readonly good: Call
  /** The status of a good call, 200 by default. */
  readonly status?: number
  /** A call that is refused: every operation has one, if only by its method. */
  readonly bad: Call & { readonly answer: readonly [status: number, error: string] }
}

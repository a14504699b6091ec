import type { Credentials } from "../support/actors.ts"

/** How an operation is called; a GET by nobody where it says nothing. */
export interface Call {
  readonly path: string
  readonly who?: Credentials
  readonly method?: string
  readonly body?: unknown
  /** Only the beginning of the answer is read: it has no end. */
  readonly streams?: boolean
}

export interface Calls {
  readonly good: Call
  /** What a good call is answered with, 200 where it says nothing. */
  readonly status?: number
  /** A call that is refused: every operation has one, be it only by its method. */
  readonly bad: Call & { readonly answer: readonly [status: number, error: string] }
}

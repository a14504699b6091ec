import { Data, type Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import type { Stage } from "../services/operations/stages.ts"
import type { ClaimedTask } from "../services/operations/tasks.ts"

/**
 * A stage did not work out. `message` is a sentence of ours, fit to be shown, and holds nothing that was fetched; `cause` is
 * for the log. `final` where no other try can mend it.
 */
export class StageFailed extends Data.TaggedError("StageFailed")<{
  readonly message: string
  readonly final: boolean
  readonly cause?: unknown
}> {}

/** A stage cannot go on for so many seconds through no fault of its own (a budget, a Retry-After): that is no try. */
export class StageWaits extends Data.TaggedError("StageWaits")<{
  readonly message: string
  readonly seconds: number
}> {}

export type StageFailure = StageFailed | StageWaits | SqlError.SqlError

/** What does a stage. It finds on record what it works on, so that nothing waits in a queue and grows old. */
export interface StageHandler {
  /**
   * Works outside of any transaction, for as long as it needs, and is interrupted when the task is lost or the process stops.
   * What it answers writes the results, in the transaction that ends the task, and lasts as short as it can. A worker that
   * is killed leaves the work to be done again: what reaches outside (a request, an upload, a mail) may happen twice.
   */
  readonly work: (
    task: ClaimedTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) => Effect.Effect<Effect.Effect<void, StageFailure>, StageFailure, Scope.Scope>
  /** What else is written where the task has failed for good; without a failure its worker was killed at every try. */
  readonly failed?: (task: ClaimedTask, failure: StageFailure | undefined) => Effect.Effect<void, SqlError.SqlError>
}

/** The stages that this build can do; the tasks of any other wait. */
export type StageHandlers = { readonly [S in Stage]?: StageHandler }

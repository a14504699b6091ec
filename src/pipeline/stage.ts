import { Data, type Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import type { Stage } from "../services/queue/stages.ts"
import type { ClaimedTask, ModelFailure } from "../services/queue/tasks.ts"

/**
 * A stage failed. `message` is written by us, can be shown, and contains nothing that was fetched; `cause` is for the
 * log. `final` means that retrying cannot help.
 */
export class StageFailed extends Data.TaggedError("StageFailed")<{
  readonly message: string
  readonly final: boolean
  readonly cause?: unknown
}> {}

/**
 * A stage has to wait for this many seconds through no fault of its own, such as a server's Retry-After. Not counted as
 * an attempt.
 */
export class StageWaits extends Data.TaggedError("StageWaits")<{
  readonly message: string
  readonly seconds: number
}> {}

/**
 * The model of a stage failed it, and will be tried again in `seconds`. Its tries are counted apart from the stage's
 * own; after the last one the stage does without (`relying`).
 */
export class ModelFailed extends Data.TaggedError("ModelFailed")<ModelFailure & { readonly cause?: unknown }> {}

export type StageFailure = ModelFailed | StageFailed | StageWaits | SqlError.SqlError

/** Performs a stage. It reads its input from the record, so that nothing in a queue can become outdated. */
export interface StageHandler {
  /**
   * Runs outside any transaction for as long as it needs, and is interrupted if the task is lost or the process stops.
   * The effect it returns writes the results in the transaction that ends the task, and should be as short as possible.
   * If a worker is killed, the work is repeated, so external effects (a request, an upload, a mail) may happen twice.
   */
  readonly work: (
    task: ClaimedTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) => Effect.Effect<Effect.Effect<void, StageFailure>, StageFailure, Scope.Scope>
  /** Writes the consequences of a final failure; without a failure, the worker was killed at every attempt. */
  readonly failed?: (task: ClaimedTask, failure: StageFailure | undefined) => Effect.Effect<void, SqlError.SqlError>
}

/** The stages that a worker handles; tasks of other stages wait. */
export type StageHandlers = { readonly [S in Stage]?: StageHandler }

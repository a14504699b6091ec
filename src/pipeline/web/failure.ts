import { Data } from "effect"
import type { SqlError } from "effect/sql"
import { StageFailed, type StageFailure, StageWaits } from "../stage.ts"

/**
 * Why something could not be fetched from another server. `message` is a sentence of ours without anything that was
 * fetched.
 *
 * - `forbidden`: the address is not allowed; `gone`: 404 or 410; `refused`: another status below 500; `unsuitable`: too
 *   large, or not what it should be. Retrying soon is pointless.
 * - `busy`: 429 or 503, or the host's turn is far off: retry after `seconds`.
 * - `unreachable`: no answer, a broken one, or a status of 500 and above.
 */
export class WebFailed extends Data.TaggedError("WebFailed")<{
  readonly reason: "forbidden" | "gone" | "refused" | "unsuitable" | "busy" | "unreachable"
  readonly message: string
  readonly seconds?: number
  readonly cause?: unknown
}> {}

/** Whether retrying soon may help. */
export const isPassing = ({ reason }: WebFailed): boolean => reason === "busy" || reason === "unreachable"

/** The failure as one of a stage. */
export const stageFailure = (failure: WebFailed | SqlError.SqlError): StageFailure => {
  if (failure._tag === "SqlError") return failure
  const { message, reason, seconds = 60 } = failure
  return reason === "busy"
    ? new StageWaits({ message, seconds })
    : new StageFailed({ message, final: !isPassing(failure), cause: failure.cause ?? failure })
}

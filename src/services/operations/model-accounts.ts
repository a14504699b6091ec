import { DateTime, Effect, Layer } from "effect"
import { CloudModel, ModelUsage } from "../../../layers/cloud-model.ts"
import { Db, dbDies } from "../../../layers/db.ts"
import { CurrentTask } from "./current-task.ts"

/** Records every model call for the operators: which model, its purpose and outcome, tokens, time, cost, and for which task. */
export const ModelAccounts = Layer.effect(
  ModelUsage,
  Effect.gen(function* () {
    const db = yield* Db
    return {
      record: Effect.fn("ModelAccounts.record")(function* (call) {
        const at = DateTime.formatIso(yield* DateTime.now)
        const task = yield* CurrentTask
        yield* db`
          insert into model_usage (at, model, purpose, outcome, input_tokens, output_tokens, duration_ms, cost,
            task_id, meeting_id, stage, provider)
          values (${at}, ${call.model}, ${call.purpose}, ${call.outcome}, ${call.inputTokens}, ${call.outputTokens},
            ${Math.round(call.durationMs)}, ${call.cost ?? null}, ${task?.id ?? null}, ${task?.meetingId ?? null},
            ${task?.stage ?? null}, ${call.provider ?? null})`
      }, dbDies)
    }
  })
)

/** The deployment's model, with every call recorded. */
export const CloudModelLive = Layer.provide(CloudModel.layer, ModelAccounts)

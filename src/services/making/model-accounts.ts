import { DateTime, Effect, Layer } from "effect"
import { CheckModelLive } from "../../../layers/cloud-model/check-model.ts"
import { CloudModel, type ModelCall, ModelUsage } from "../../../layers/cloud-model/cloud-model.ts"
import { embeddingModel, embeddingPurpose } from "../../../layers/cloud-model/embedding-model.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { SpeechModel } from "../../../layers/speech-model/speech-model.ts"
import { CurrentTask } from "../queue/current-task.ts"
import { Settings } from "../settings/settings.ts"

/**
 * Records every model call for operators: model, purpose, outcome, tokens, time, cost and task. The row is there from
 * the call's beginning, at the most that it may cost.
 */
export const ModelAccounts = Layer.effect(
  ModelUsage,
  Effect.gen(function* () {
    const db = yield* Db
    const settings = yield* Settings

    /** The cost of a call in US dollars, as reported or else by the operators' prices; null if neither says. */
    const priced = Effect.fnUntraced(function* ({ cost, purpose, seconds, inputTokens, outputTokens }: ModelCall) {
      if (cost !== undefined) return cost
      if (purpose === embeddingPurpose) {
        const each = yield* settings.get("prices.EmbeddingMicros")
        return each === 0 ? null : (inputTokens * each) / 1e12
      }
      const [input, output, minute] = [
        yield* settings.get("prices.InputMicros"),
        yield* settings.get("prices.OutputMicros"),
        yield* settings.get("prices.SpeechMicros")
      ]
      if (seconds !== undefined) return minute === 0 ? null : (seconds / 60) * (minute / 1e6)
      return input + output === 0 ? null : (inputTokens * input + outputTokens * output) / 1e12
    })

    const begin = Effect.fn("ModelAccounts.begin")(function* (call: ModelCall) {
      const at = DateTime.formatIso(yield* DateTime.now)
      const task = yield* CurrentTask
      const rows = yield* db<{ id: string }>`
        insert into model_usage (at, model, purpose, outcome, input_tokens, output_tokens, duration_ms, cost,
          task_id, meeting_id, stage, provider)
        values (${at}, ${call.model}, ${call.purpose}, ${call.outcome}, ${call.inputTokens}, ${call.outputTokens},
          ${Math.round(call.durationMs)}, ${yield* priced(call)}, ${task?.id ?? null}, ${task?.meetingId ?? null},
          ${task?.stage ?? null}, ${call.provider ?? null})
        returning id::text`
      return Effect.fn("ModelAccounts.settle")(function* (ended: ModelCall) {
        yield* db`
          update model_usage set outcome = ${ended.outcome}, input_tokens = ${ended.inputTokens},
            output_tokens = ${ended.outputTokens}, duration_ms = ${Math.round(ended.durationMs)},
            cost = ${yield* priced(ended)}
          where id = any(${rows.map(({ id }) => id)}::bigint[])`
      }, dbDies)
    }, dbDies)

    return { begin }
  })
).pipe(Layer.provide(Settings.layer))

/** The deployment's language model, with every call recorded. */
export const CloudModelLive = Layer.provide(CloudModel.layer, ModelAccounts)

/** The models used by pipeline stages, with every call recorded. */
export const PipelineModelsLive = Layer.provide(
  Layer.mergeAll(CloudModel.layerPatient, CheckModelLive, embeddingModel(), SpeechModel.layer),
  ModelAccounts
)

import { Effect, Layer, Schema } from "effect"
import { CloudModel, CloudModelUnavailable, type ObjectRequest } from "../../../layers/cloud-model/cloud-model.ts"

/** The input of a model. */
export interface Asked {
  readonly system: string
  readonly prompt: string
}

/** A model whose answers are decoded as the real one's are. */
export const modelThat = (answer: (asked: Asked) => unknown) =>
  Layer.succeed(CloudModel, {
    isConfigured: true,
    name: "fake",
    generateObject: <A, E extends Record<string, unknown>>({ system, prompt, schema }: ObjectRequest<A, E>) =>
      Schema.decodeUnknownEffect(schema)(answer({ system, prompt })).pipe(
        Effect.map((value) => ({ value, usage: { inputTokens: 1, outputTokens: 1 }, model: "fake" })),
        Effect.mapError(() => new CloudModelUnavailable({ reason: "bad_answer" }))
      )
  })

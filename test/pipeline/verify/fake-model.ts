import { Effect, Layer, Schema } from "effect"
import { CheckModel } from "../../../layers/cloud-model/check-model.ts"
import { CloudModel, CloudModelUnavailable, type ObjectRequest } from "../../../layers/cloud-model/cloud-model.ts"
import { tellingTwins } from "../../support/able-model.ts"

/** The input of a model. */
export interface Asked {
  readonly system: string
  readonly prompt: string
}

/** A model whose answers are decoded as the real one's are. */
const modelOf = (answer: (asked: Asked) => unknown) =>
  CloudModel.of({
    isConfigured: true,
    name: "fake",
    place: "fake (here)",
    generateObject: <A, E extends Record<string, unknown>>({ system, prompt, schema }: ObjectRequest<A, E>) =>
      Schema.decodeUnknownEffect(schema)(answer({ system, prompt })).pipe(
        Effect.map((value) => ({ value, usage: { inputTokens: 1, outputTokens: 1 }, model: "fake" })),
        Effect.mapError(() => new CloudModelUnavailable({ reason: "bad_answer" }))
      )
  })

/** A checker beside a writer. */
export const modelThat = (answer: (asked: Asked) => unknown) => Layer.succeed(CheckModel, modelOf(answer))

/** A checker that can tell claims from their twins. */
export const carefulModelThat = (answer: (prompt: string) => unknown) => {
  const careful = tellingTwins(answer)
  return modelThat(({ prompt }) => careful(prompt))
}

/** A writer without a checker. */
export const writerThat = (answer: (asked: Asked) => unknown) => Layer.succeed(CloudModel, modelOf(answer))

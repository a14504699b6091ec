import { Context, Effect, Layer, Option, type Schema } from "effect"
import { Environment, type ModelEndpoint } from "../config/config.ts"
import { type CloudModelOptions, callingNeeds, makeCalling, patient, usual } from "./calling.ts"
import { chatCompletions } from "./chat-completions.ts"
import { CloudModelUnavailable } from "./failure.ts"
import type { TokenUsage } from "./posted.ts"

export { beginCall, type CloudModelOptions, type ModelCall, ModelUsage, patient } from "./calling.ts"
export { CloudModelUnavailable, type UnavailableReason } from "./failure.ts"

/** A request for one object from the model. */
export interface ObjectRequest<A, E extends Record<string, unknown>> {
  /** The schema of the answer; an object at the top level. */
  readonly schema: Schema.Codec<A, E>
  /** The object's name: letters, digits, `_` and `-`, at most 64 (OpenAI's rule for `json_schema.name`). */
  readonly name: string
  /** Our instructions. Text that comes from elsewhere belongs in `prompt`, as data. */
  readonly system: string
  readonly prompt: string
  readonly maxOutputTokens: number
  /** The purpose of the call, such as `auto_clip`, as it appears in spans and the usage log. */
  readonly purpose: string
}

interface Generated<A> {
  readonly value: A
  /** The sum over all attempts. */
  readonly usage: TokenUsage
  readonly model: string
}

/** The deployment's language model, behind an OpenAI-compatible endpoint (contract section 10). */
export class CloudModel extends Context.Service<
  CloudModel,
  {
    readonly isConfigured: boolean
    /** The model's name; empty if none is configured. */
    readonly name: string
    /** The name and the host: another one if the model is changed. */
    readonly place: string
    /** Fails with `CloudModelUnavailable` and nothing else, whatever the server does. */
    readonly generateObject: <A, E extends Record<string, unknown>>(
      request: ObjectRequest<A, E>
    ) => Effect.Effect<Generated<A>, CloudModelUnavailable>
  }
>()("civic-record/CloudModel") {
  /** The model configured by `CLOUD_MODEL_URL`, `CLOUD_MODEL_KEY` and `CLOUD_MODEL_NAME`. */
  static readonly layer = Layer.suspend(() => configured())

  /** The same for the pipeline's stages, with larger requests and longer timeouts. */
  static readonly layerPatient = Layer.suspend(() => configured(patient))

  /** For a deployment without a model: every call fails with `not_configured`. */
  static readonly layerNone = Layer.succeed(CloudModel, {
    isConfigured: false,
    name: "",
    place: "",
    generateObject: () => Effect.fail(new CloudModelUnavailable({ reason: "not_configured" }))
  })

  static readonly layerEndpoint = (endpoint: ModelEndpoint, options?: Partial<CloudModelOptions>) =>
    Layer.effect(CloudModel, modelAt(endpoint, { ...usual, ...options })).pipe(Layer.provide(callingNeeds))
}

const configured = (options?: Partial<CloudModelOptions>) =>
  Layer.unwrap(
    Effect.map(Environment, ({ cloudModel }) =>
      Option.isSome(cloudModel) ? CloudModel.layerEndpoint(cloudModel.value, options) : CloudModel.layerNone
    )
  )

const modelAt = Effect.fnUntraced(function* (endpoint: ModelEndpoint, options: CloudModelOptions) {
  const { call, place } = yield* makeCalling(endpoint, options)
  const generateObject = Effect.fn("CloudModel.generateObject")(function* <A, E extends Record<string, unknown>>(
    request: ObjectRequest<A, E>
  ): Effect.fn.Return<Generated<A>, CloudModelUnavailable> {
    const { schema, purpose, system, prompt, maxOutputTokens: outputTokens, name: objectName } = request
    return yield* call({
      purpose,
      // A token of English is some four characters.
      most: { inputTokens: Math.ceil((system.length + prompt.length) / 4), outputTokens },
      attempt: (http, spent) =>
        Effect.gen(function* () {
          const languageModel = yield* chatCompletions(endpoint, http, request, spent)
          const messages = [
            { role: "system" as const, content: system },
            { role: "user" as const, content: prompt }
          ]
          return (yield* languageModel.generateObject({ prompt: messages, objectName, schema })).value
        })
    })
  })
  return { isConfigured: true, name: endpoint.name, place, generateObject }
})

import { Context, Effect, Layer, Option, Schema } from "effect"
import { Environment, type ModelEndpoint } from "../config/config.ts"
import { type CloudModelOptions, callingNeeds, makeCalling, usual } from "./calling.ts"
import type { CloudModelUnavailable } from "./failure.ts"
import { addressAt, invalidResponse, posted } from "./posted.ts"

/** The purpose of its calls, as the usage log has it. */
export const embeddingPurpose = "embedding"

/** The most texts of one request. */
export const textsAtOnce = 64

/** A vector of 4,096 numbers is 50 KB as JSON. */
const longestAnswer = 8 * 1024 * 1024
const mostNumbers = 4096

/** The parts of an answer that we read (OpenAI API reference, "The embedding object"). */
const Answer = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      index: Schema.Int,
      embedding: Schema.Array(Schema.Finite).check(Schema.isMinLength(1), Schema.isMaxLength(mostNumbers))
    })
  )
})
const decodeAnswer = Schema.decodeEffect(Schema.fromJsonString(Answer))

interface Embedding {
  /** The name and the host: another one if the model is changed. */
  readonly place: string
  /** A vector for each of these texts, at most `textsAtOnce` of them. */
  readonly embed: (
    texts: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<number>>, CloudModelUnavailable>
}

/** The model whose vectors are near each other where texts mean the same; undefined if the deployment has none. */
export const EmbeddingModel = Context.Reference<Embedding | undefined>("civic-record/EmbeddingModel", {
  defaultValue: () => undefined
})

const modelAt = Effect.fnUntraced(function* (endpoint: ModelEndpoint, options: CloudModelOptions) {
  const { call, place } = yield* makeCalling(endpoint, options)
  const embed: Embedding["embed"] = Effect.fn("EmbeddingModel.embed")(function* (texts) {
    const { value } = yield* call({
      purpose: embeddingPurpose,
      // A token of English is some four characters.
      most: { inputTokens: Math.ceil(texts.join("").length / 4), outputTokens: 0 },
      attempt: Effect.fnUntraced(function* (http, spent) {
        const body = { model: endpoint.name, input: texts, encoding_format: "float" }
        const address = addressAt(endpoint.url, "embeddings")
        const answer = yield* posted(endpoint, http, { address, body, longest: longestAnswer }, spent)
        const { data } = yield* Effect.mapError(decodeAnswer(answer), () => invalidResponse("not embeddings"))
        const vectors = data.toSorted((a, b) => a.index - b.index)
        const isWhole =
          vectors.length === texts.length &&
          vectors.every(
            ({ embedding }, at) => vectors[at]?.index === at && embedding.length === vectors[0]?.embedding.length
          )
        return isWhole
          ? vectors.map(({ embedding }) => embedding)
          : yield* invalidResponse("not a vector for each text, all of one length")
      })
    })
    return value
  })
  return { place, embed }
})

/** The model configured by `EMBEDDING_MODEL_URL`, `_KEY` and `_NAME`. */
export const embeddingModel = (options?: Partial<CloudModelOptions>) =>
  Layer.effect(
    EmbeddingModel,
    Effect.gen(function* () {
      const { embeddingModel: endpoint } = yield* Environment
      return Option.isSome(endpoint) ? yield* modelAt(endpoint.value, { ...usual, ...options }) : undefined
    })
  ).pipe(Layer.provide(callingNeeds))

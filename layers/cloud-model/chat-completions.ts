import { type Context, Effect, type Ref, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Prompt } from "effect/ai"
import { toCodecOpenAI } from "effect/ai/OpenAiStructuredOutput"
import type { HttpClient } from "effect/http"
import type { ModelEndpoint } from "../config/config.ts"
import { addressAt, failed, invalidResponse, posted, type TokenUsage } from "./posted.ts"

/** The schema of the object, and the most tokens it may take. */
interface ObjectFormat {
  readonly schema: Schema.Codec<unknown, Record<string, unknown>>
  readonly maxOutputTokens: number
}

/** The largest answer that is read; real ones are a few hundred characters. */
const longestAnswer = 256 * 1024

const MaybeText = Schema.optionalKey(Schema.NullOr(Schema.String))

/** The parts of an answer that we read (OpenAI API reference, "The chat completion object"). */
const Completion = Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({ message: Schema.Struct({ content: MaybeText, refusal: MaybeText }), finish_reason: MaybeText })
  )
})
const decodeCompletion = Schema.decodeEffect(Schema.fromJsonString(Completion))

const textOf = ({ content }: Prompt.Message): string =>
  typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join("")

/**
 * A language model behind `/chat/completions` that answers with one object (`response_format: json_schema`, strict).
 * Each request is a single attempt; delays and retries are the caller's. Token usage is added to `spent`.
 */
export const chatCompletions = (
  endpoint: ModelEndpoint,
  client: Context.Service.Shape<typeof HttpClient.HttpClient>,
  { schema, maxOutputTokens }: ObjectFormat,
  spent: Ref.Ref<TokenUsage>
): Effect.Effect<LanguageModel.LanguageModel> => {
  const address = addressAt(endpoint.url, "chat/completions")
  const { jsonSchema } = toCodecOpenAI(schema)

  const generateText = Effect.fnUntraced(function* ({ prompt, responseFormat }: LanguageModel.ProviderOptions) {
    const name = responseFormat.type === "json" ? responseFormat.objectName : "answer"
    const body = yield* posted(
      endpoint,
      client,
      {
        address,
        longest: longestAnswer,
        body: {
          model: endpoint.name,
          messages: prompt.content.map((message) => ({ role: message.role, content: textOf(message) })),
          max_completion_tokens: maxOutputTokens,
          response_format: { type: "json_schema", json_schema: { name, strict: true, schema: jsonSchema } }
        }
      },
      spent
    )
    const { choices } = yield* decodeCompletion(body).pipe(
      Effect.mapError(() => invalidResponse("not a chat completion"))
    )
    const [{ message, finish_reason }] = choices
    if (message.refusal || finish_reason === "content_filter") {
      return yield* failed(new AiError.ContentPolicyError({ description: "the model declined" }))
    }
    if (finish_reason === "length") return yield* invalidResponse("cut short by the token limit")
    return [{ type: "text" as const, text: message.content ?? "" }]
  })

  return LanguageModel.make({
    codecTransformer: toCodecOpenAI,
    generateText,
    streamText: () => Stream.die("an object is only asked for whole")
  })
}

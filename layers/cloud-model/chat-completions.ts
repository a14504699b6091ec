import { Clock, type Context, Effect, identity, Option, Redacted, Ref, Result, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Prompt } from "effect/ai"
import { toCodecOpenAI } from "effect/ai/OpenAiStructuredOutput"
import { Headers, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import type { ModelEndpoint } from "../config/config.ts"

/** The tokens that the model read and wrote; 0 if the server does not report them. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The schema of the object, and the most tokens it may take. */
interface ObjectFormat {
  readonly schema: Schema.Codec<unknown, Record<string, unknown>>
  readonly maxOutputTokens: number
}

/** The largest answer that is read; real ones are a few hundred characters. */
const longestAnswer = 256 * 1024

const Tokens = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))
const MaybeText = Schema.optionalKey(Schema.NullOr(Schema.String))

/** The parts of an answer that we read (OpenAI API reference, "The chat completion object"). */
const Completion = Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({ message: Schema.Struct({ content: MaybeText, refusal: MaybeText }), finish_reason: MaybeText })
  )
})
const decodeCompletion = Schema.decodeEffect(Schema.fromJsonString(Completion))

/** Decoded separately, because a server with bad usage figures may still give a good answer. */
const Counted = Schema.Struct({ usage: Schema.Struct({ prompt_tokens: Tokens, completion_tokens: Tokens }) })
const decodeCounted = Schema.decodeOption(Schema.fromJsonString(Counted))

/** Errors never contain anything the server sent: it may include the key, or words spoken in a meeting. */
const failed = (reason: AiError.AiErrorReason) =>
  AiError.make({ module: "CloudModel", method: "chatCompletions", reason })
const invalidResponse = (description: string) => failed(new AiError.InvalidResponseError({ description }))

/** Accepts both `.../v1` and `.../v1/chat/completions`; a query (an API version) is preserved. */
export const completionsUrl = (base: string): string => {
  const url = new URL(base)
  const path = url.pathname.replace(/\/+$/, "")
  url.pathname = path.endsWith("/chat/completions") ? path : `${path}/chat/completions`
  return url.href
}

const textOf = ({ content }: Prompt.Message): string =>
  typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join("")

/** The pause that the server requests (RFC 9110, section 10.2.3); undefined if it requests none. */
const retryAfterOf = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  const retryAfter = Headers.parseRetryAfter(response.headers["retry-after"] ?? "")
  return Result.isSuccess(retryAfter)
    ? Headers.retryAfterDelay(retryAfter.success, yield* Clock.currentTimeMillis)
    : undefined
})

/** The failure for a status other than 2xx; a transient one is retryable. */
const statusFailure = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  const { status } = response
  const retryAfter = yield* retryAfterOf(response)
  if (status === 429 || (status === 503 && retryAfter !== undefined)) {
    return failed(new AiError.RateLimitError({ retryAfter }))
  }
  return status === 408
    ? failed(new AiError.InternalProviderError({ description: "the request came too slowly" }))
    : failed(AiError.reasonFromHttpStatus({ status }))
})

/** The whole body as text; refused as soon as it exceeds `longestAnswer` bytes after decompression. */
const bodyOf = (response: HttpClientResponse.HttpClientResponse, cutOff: AiError.AiError) =>
  response.stream.pipe(
    Stream.mapError(({ reason }) => (reason._tag === "EmptyBodyError" ? invalidResponse("no body") : cutOff)),
    Stream.runFoldEffect(
      () => ({ bytes: 0, parts: [] as Uint8Array[] }),
      ({ bytes, parts }, part) =>
        bytes + part.length > longestAnswer
          ? Effect.fail(invalidResponse(`longer than ${longestAnswer} bytes`))
          : Effect.succeed({ bytes: bytes + part.length, parts: [...parts, part] })
    ),
    Effect.map(({ parts }) => Buffer.concat(parts).toString())
  )

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
  const url = completionsUrl(endpoint.url)
  const unreachable = failed(new AiError.NetworkError({ reason: "TransportError", method: "POST", url: "" }))
  const { jsonSchema } = toCodecOpenAI(schema)

  const generateText = Effect.fnUntraced(function* ({ prompt, responseFormat }: LanguageModel.ProviderOptions) {
    const name = responseFormat.type === "json" ? responseFormat.objectName : "answer"
    const request = HttpClientRequest.post(url).pipe(
      HttpClientRequest.acceptJson,
      // A model on the same machine often needs no key.
      Redacted.value(endpoint.key) === "" ? identity : HttpClientRequest.bearerToken(endpoint.key),
      HttpClientRequest.bodyJsonUnsafe({
        model: endpoint.name,
        messages: prompt.content.map((message) => ({ role: message.role, content: textOf(message) })),
        max_completion_tokens: maxOutputTokens,
        response_format: { type: "json_schema", json_schema: { name, strict: true, schema: jsonSchema } }
      })
    )
    const response = yield* HttpClient.withScope(client)
      .execute(request)
      .pipe(Effect.mapError(() => unreachable))
    if (response.status < 200 || response.status > 299) return yield* yield* statusFailure(response)
    const body = yield* bodyOf(response, unreachable)
    const { inputTokens, outputTokens } = Option.match(decodeCounted(body), {
      onNone: () => ({ inputTokens: 0, outputTokens: 0 }),
      onSome: ({ usage }) => ({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens })
    })
    yield* Ref.update(spent, (before) => ({
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens
    }))
    const { choices } = yield* decodeCompletion(body).pipe(
      Effect.mapError(() => invalidResponse("not a chat completion"))
    )
    const [{ message, finish_reason }] = choices
    if (message.refusal || finish_reason === "content_filter") {
      return yield* failed(new AiError.ContentPolicyError({ description: "the model declined" }))
    }
    if (finish_reason === "length") return yield* invalidResponse("cut short by the token limit")
    return [{ type: "text" as const, text: message.content ?? "" }]
  }, Effect.scoped)

  return LanguageModel.make({
    codecTransformer: toCodecOpenAI,
    generateText,
    streamText: () => Stream.die("an object is only asked for whole")
  })
}

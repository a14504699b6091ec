import { Clock, type Context, Effect, identity, Option, Redacted, Ref, Result, Schema, Stream } from "effect"
import { AiError } from "effect/ai"
import { Headers, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import type { ModelEndpoint } from "../config/config.ts"

/** The tokens that the model read and wrote; 0 if the server does not report them. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

const Tokens = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))

/**
 * Decoded separately, because a server with bad usage figures may still give a good answer. Embeddings write nothing.
 */
const Counted = Schema.Struct({
  usage: Schema.Struct({ prompt_tokens: Tokens, completion_tokens: Schema.optionalKey(Tokens) })
})
const decodeCounted = Schema.decodeOption(Schema.fromJsonString(Counted))

/** Errors never contain anything the server sent: it may include the key, or words spoken in a meeting. */
export const failed = (reason: AiError.AiErrorReason) =>
  AiError.make({ module: "CloudModel", method: "chatCompletions", reason })
export const invalidResponse = (description: string) => failed(new AiError.InvalidResponseError({ description }))

/** Accepts both `.../v1` and `.../v1/<what>`; a query (an API version) is preserved. */
export const addressAt = (base: string, what: string): string => {
  const url = new URL(base)
  const path = url.pathname.replace(/\/+$/, "")
  url.pathname = path.endsWith(`/${what}`) ? path : `${path}/${what}`
  return url.href
}

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

/** The whole body as text; refused as soon as it exceeds `longest` bytes after decompression. */
const bodyOf = (response: HttpClientResponse.HttpClientResponse, longest: number, cutOff: AiError.AiError) =>
  response.stream.pipe(
    Stream.mapError(({ reason }) => (reason._tag === "EmptyBodyError" ? invalidResponse("no body") : cutOff)),
    Stream.runFoldEffect(
      () => ({ bytes: 0, parts: [] as Uint8Array[] }),
      ({ bytes, parts }, part) =>
        bytes + part.length > longest
          ? Effect.fail(invalidResponse(`longer than ${longest} bytes`))
          : Effect.succeed({ bytes: bytes + part.length, parts: [...parts, part] })
    ),
    Effect.map(({ parts }) => Buffer.concat(parts).toString())
  )

/**
 * Sends JSON to `address` of an endpoint once, and returns its answer, of at most `longest` bytes. The tokens that it
 * says it took are added to `spent`.
 */
export const posted = Effect.fnUntraced(function* (
  { key }: ModelEndpoint,
  client: Context.Service.Shape<typeof HttpClient.HttpClient>,
  { address, body, longest }: { readonly address: string; readonly body: object; readonly longest: number },
  spent: Ref.Ref<TokenUsage>
) {
  const unreachable = failed(new AiError.NetworkError({ reason: "TransportError", method: "POST", url: "" }))
  const request = HttpClientRequest.post(address).pipe(
    HttpClientRequest.acceptJson,
    // A model on the same machine often needs no key.
    Redacted.value(key) === "" ? identity : HttpClientRequest.bearerToken(key),
    HttpClientRequest.bodyJsonUnsafe(body)
  )
  const response = yield* HttpClient.withScope(client)
    .execute(request)
    .pipe(Effect.mapError(() => unreachable))
  if (response.status < 200 || response.status > 299) return yield* yield* statusFailure(response)
  const text = yield* bodyOf(response, longest, unreachable)
  const { inputTokens, outputTokens } = Option.match(decodeCounted(text), {
    onNone: () => ({ inputTokens: 0, outputTokens: 0 }),
    onSome: ({ usage }) => ({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens ?? 0 })
  })
  yield* Ref.update(spent, (before) => ({
    inputTokens: before.inputTokens + inputTokens,
    outputTokens: before.outputTokens + outputTokens
  }))
  return text
}, Effect.scoped)

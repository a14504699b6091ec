import { openAsBlob } from "node:fs"
import { Clock, Duration, Effect, identity, Redacted, Result, Schema } from "effect"
import { Headers, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { addressAt } from "../cloud-model/posted.ts"
import type { ModelEndpoint } from "../config/config.ts"
import { accounted, type Recognized, type Sound, SpeechModelUnavailable, unavailable } from "./recognized.ts"

/** A piece of ten minutes is under the 25 MB that common servers accept. */
const pieceSeconds = 600

/** The timed words of ten minutes are well under a megabyte. */
const longestAnswer = 16 * 1024 * 1024

const Time = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const Voice = Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(200))))

/**
 * The parts of an answer that we read: OpenAI's `verbose_json` and `diarized_json` (its API reference, "Create
 * transcription"), and WhisperX's, which has a speaker on segments and words, and words that it could not time.
 */
const Answer = Schema.Struct({
  language: Schema.optionalKey(Schema.NullOr(Schema.String)),
  words: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ word: Schema.String, start: Time, end: Time, speaker: Voice })))
  ),
  segments: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ text: Schema.String, start: Time, end: Time, speaker: Voice })))
  )
})
const decodeAnswer = Schema.decodeEffect(Schema.fromJsonString(Answer))

/**
 * What is asked for. A model that tells speakers apart says so in its name (`gpt-4o-transcribe-diarize`), and has a
 * format of its own, without times of words; it refuses long pieces unless it may cut them itself.
 */
const formatOf = (model: string): ReadonlyArray<readonly [string, string]> =>
  /diari[sz]/i.test(model)
    ? [
        ["response_format", "diarized_json"],
        ["chunking_strategy", "auto"]
      ]
    : [
        ["response_format", "verbose_json"],
        ["timestamp_granularities[]", "word"],
        ["timestamp_granularities[]", "segment"]
      ]

const statusFailure = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  const after = Headers.parseRetryAfter(response.headers["retry-after"] ?? "")
  if (response.status === 429 || (response.status === 503 && Result.isSuccess(after))) {
    return new SpeechModelUnavailable({
      reason: "rate_limited",
      ...(Result.isSuccess(after)
        ? { retryAfter: Duration.toSeconds(Headers.retryAfterDelay(after.success, yield* Clock.currentTimeMillis)) }
        : {})
    })
  }
  return unavailable(response.status >= 500 || response.status === 408 ? "network" : "refused")
})

const voiceOf = (speaker: string | null | undefined) => (speaker ? { voice: speaker } : {})

/** The model behind an OpenAI-compatible `/audio/transcriptions` (contract section 10). */
export const modelAt = Effect.fnUntraced(function* (endpoint: ModelEndpoint, timeLimit: Duration.Input) {
  const http = yield* HttpClient.HttpClient
  const url = addressAt(endpoint.url, "audio/transcriptions")

  const ask = Effect.fnUntraced(function* ({ file }: Sound) {
    const sound = yield* Effect.tryPromise({ try: () => openAsBlob(file), catch: () => unavailable("unreadable") })
    const form = new FormData()
    form.append("file", sound, "piece.wav")
    form.append("model", endpoint.name)
    for (const [field, value] of formatOf(endpoint.name)) form.append(field, value)
    const response = yield* HttpClientRequest.post(url).pipe(
      HttpClientRequest.acceptJson,
      // A model on the same machine often needs no key.
      Redacted.value(endpoint.key) === "" ? identity : HttpClientRequest.bearerToken(endpoint.key),
      HttpClientRequest.bodyFormData(form),
      HttpClient.withScope(http).execute,
      Effect.mapError(() => unavailable("network"))
    )
    if (response.status < 200 || response.status > 299) return yield* yield* statusFailure(response)
    const body = yield* Effect.mapError(response.text, () => unavailable("network"))
    if (body.length > longestAnswer) return yield* unavailable("bad_answer")
    const { language, words, segments } = yield* Effect.mapError(decodeAnswer(body), () => unavailable("bad_answer"))
    if (words === undefined && segments === undefined) return yield* unavailable("bad_answer")
    return {
      ...(language && /^[a-z]{2,3}(-[A-Za-z\d]+)*$/.test(language) ? { language } : {}),
      segments: (segments ?? []).map(({ speaker, ...segment }) => ({ ...segment, ...voiceOf(speaker) })),
      ...(words
        ? {
            words: words.map(({ word, start, end, speaker }) => ({
              ...{ start, end, text: word.trim() },
              ...voiceOf(speaker ?? segments?.find((one) => start >= one.start && start < one.end)?.speaker)
            }))
          }
        : {})
    } satisfies Recognized
  }, Effect.scoped)

  const transcribe = yield* accounted({ model: endpoint.name, provider: new URL(url).host }, () => timeLimit, ask)
  return {
    isConfigured: true,
    name: endpoint.name,
    place: `${endpoint.name} (${new URL(url).host})`,
    pieceSeconds,
    transcribe
  }
})

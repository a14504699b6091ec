import { openAsBlob } from "node:fs"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Clock, Context, Data, Duration, Effect, identity, Layer, Option, Redacted, Result, Schema } from "effect"
import { Headers, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import type { Word } from "../schema/transcript.ts"
import { beginCall, ModelUsage } from "./cloud-model/cloud-model.ts"
import { Environment, type ModelEndpoint } from "./config/config.ts"

/** The reasons why there is no transcript, each with a message fit for anyone. */
const sentences = {
  not_configured: "No speech model is configured.",
  unreadable: "The piece of the recording cannot be read.",
  timeout: "The speech model did not answer in time.",
  rate_limited: "The speech model accepts no requests at the moment.",
  refused: "The speech model refused the request.",
  bad_answer: "The speech model gave an answer that cannot be used.",
  network: "The speech model could not be reached, or had an error of its own."
} as const

/** The speech model gave no transcript. Never contains the key or anything the server sent. */
export class SpeechModelUnavailable extends Data.TaggedError("SpeechModelUnavailable")<{
  readonly reason: keyof typeof sentences
  /** The server's `Retry-After`, in seconds. */
  readonly retryAfter?: number
}> {
  override get message(): string {
    return sentences[this.reason]
  }
}

/** A transcription of a piece of audio, in seconds from its start. */
export interface Recognized {
  /** BCP 47, if the server reports one. */
  readonly language?: string
  /** In order. `timed`: the server measured the words' times; otherwise only those of their segments. */
  readonly segments: ReadonlyArray<{ readonly start: number; readonly end: number; readonly text: string }>
  readonly words?: ReadonlyArray<Word>
}

interface Sound {
  /** An audio file in a format that the server reads; all of them read WAV. */
  readonly file: string
  /** Its length in seconds, by which the server bills. */
  readonly seconds: number
}

/** The deployment's speech model, behind an OpenAI-compatible `/audio/transcriptions` (contract section 10). */
export class SpeechModel extends Context.Service<
  SpeechModel,
  {
    readonly isConfigured: boolean
    /** The model's name; empty if none is configured. */
    readonly name: string
    /** The name and the host: another one if the model is changed. */
    readonly place: string
    /** One attempt; delays and retries are the caller's. */
    readonly transcribe: (sound: Sound) => Effect.Effect<Recognized, SpeechModelUnavailable>
  }
>()("civic-record/SpeechModel") {
  /** The model configured by `SPEECH_MODEL_URL`, `SPEECH_MODEL_KEY` and `SPEECH_MODEL_NAME`. */
  static readonly layer = Layer.unwrap(
    Effect.map(Environment, ({ speechModel }) =>
      Option.isSome(speechModel) ? SpeechModel.layerEndpoint(speechModel.value) : SpeechModel.layerNone
    )
  )

  /** For a deployment without a model: every call fails with `not_configured`. */
  static readonly layerNone = Layer.succeed(SpeechModel, {
    isConfigured: false,
    name: "",
    place: "",
    transcribe: () => Effect.fail(new SpeechModelUnavailable({ reason: "not_configured" }))
  })

  static readonly layerEndpoint = (endpoint: ModelEndpoint, timeLimit: Duration.Input = "15 minutes") =>
    Layer.effect(SpeechModel, modelAt(endpoint, timeLimit)).pipe(Layer.provide(client))
}

/**
 * Follows no redirect: it would send the recording and the key somewhere that nobody configured. The call's timeout is
 * the only one, because a model on a small machine may exceed `fetch`'s own five minutes.
 */
const client = NodeHttpClient.layerUndiciOptions({ headersTimeout: 0, bodyTimeout: 0 })

/** The timed words of ten minutes are well under a megabyte. */
const longestAnswer = 16 * 1024 * 1024

const Time = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

/** The parts of an answer that we read (OpenAI API reference, "The transcription object (Verbose JSON)"). */
const Answer = Schema.Struct({
  language: Schema.optionalKey(Schema.NullOr(Schema.String)),
  words: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ word: Schema.String, start: Time, end: Time })))
  ),
  segments: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ text: Schema.String, start: Time, end: Time })))
  )
})
const decodeAnswer = Schema.decodeEffect(Schema.fromJsonString(Answer))

/** Accepts both `.../v1` and `.../v1/audio/transcriptions`; a query is preserved. */
const transcriptionsUrl = (base: string): string => {
  const url = new URL(base)
  const path = url.pathname.replace(/\/+$/, "")
  url.pathname = path.endsWith("/audio/transcriptions") ? path : `${path}/audio/transcriptions`
  return url.href
}

const unavailable = (reason: keyof typeof sentences) => new SpeechModelUnavailable({ reason })

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

const modelAt = Effect.fnUntraced(function* (endpoint: ModelEndpoint, timeLimit: Duration.Input) {
  const http = yield* HttpClient.HttpClient
  const { begin } = yield* ModelUsage
  const url = transcriptionsUrl(endpoint.url)

  const ask = Effect.fnUntraced(function* ({ file }: Sound) {
    const sound = yield* Effect.tryPromise({ try: () => openAsBlob(file), catch: () => unavailable("unreadable") })
    const form = new FormData()
    form.append("file", sound, "piece.wav")
    form.append("model", endpoint.name)
    form.append("response_format", "verbose_json")
    form.append("timestamp_granularities[]", "word")
    form.append("timestamp_granularities[]", "segment")
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
      segments: segments ?? [],
      ...(words ? { words: words.map(({ word, start, end }) => ({ start, end, text: word.trim() })) } : {})
    } satisfies Recognized
  }, Effect.scoped)

  const transcribe = Effect.fn("SpeechModel.transcribe")(function* (sound: Sound) {
    const startedAt = yield* Clock.currentTimeMillis
    const [model, purpose] = [endpoint.name, "transcribe"]
    yield* Effect.annotateCurrentSpan({ model, purpose, seconds: sound.seconds })
    const call = { model, purpose, provider: new URL(url).host, inputTokens: 0, outputTokens: 0 }
    const settle = yield* beginCall(begin, { ...call, outcome: "begun", durationMs: 0, seconds: sound.seconds })
    return yield* ask(sound).pipe(
      Effect.timeoutOrElse({ duration: timeLimit, orElse: () => unavailable("timeout") }),
      // The library's headers would send the model our trace ids.
      Effect.withTracerEnabled(false),
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
      Effect.onExit((exit) =>
        Effect.gen(function* () {
          const durationMs = (yield* Clock.currentTimeMillis) - startedAt
          const failure =
            exit._tag === "Failure" ? exit.cause.reasons.find((reason) => reason._tag === "Fail") : undefined
          const outcome = exit._tag === "Success" ? "ok" : (failure?.error.reason ?? "stopped")
          yield* settle({ ...call, outcome, durationMs, seconds: outcome === "ok" ? sound.seconds : 0 })
        })
      )
    )
  })

  return { isConfigured: true, name: endpoint.name, place: `${endpoint.name} (${new URL(url).host})`, transcribe }
})

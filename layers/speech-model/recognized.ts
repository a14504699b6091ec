import { Clock, Data, type Duration, Effect } from "effect"
import { HttpClient } from "effect/http"
import type { Word } from "../../schema/transcript.ts"
import { beginCall, type ModelCall, ModelUsage } from "../cloud-model/cloud-model.ts"

/** The reasons why there is no transcript, each with a message fit for anyone. */
const sentences = {
  not_configured: "No speech model is configured.",
  unreadable: "The piece of the recording cannot be read.",
  timeout: "The speech model did not answer in time.",
  rate_limited: "The speech model accepts no requests at the moment.",
  refused: "The speech model refused the request.",
  bad_answer: "The speech model gave an answer that cannot be used.",
  network: "The speech model could not be reached, or had an error of its own.",
  no_filter: "This machine has no FFmpeg with the whisper filter: civic-record doctor says what to install.",
  not_loaded: "The file of the speech model cannot be loaded: civic-record doctor says why.",
  crashed: "The program that runs the speech model ended unexpectedly: civic-record doctor tries it."
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

/** The provider of a model that runs here, on the account of calls. */
export const thisMachine = "this machine"

export const unavailable = (reason: keyof typeof sentences) => new SpeechModelUnavailable({ reason })

/** A stretch of speech in seconds, and the voice that a model gave it: a label such as `A`, never a name. */
export interface Stretch {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly voice?: string
}

/** A transcription of a piece of audio, in seconds from its start. */
export interface Recognized {
  /** BCP 47, if it is known. */
  readonly language?: string
  /** In order. */
  readonly segments: ReadonlyArray<Stretch>
  /** Only if the model measured the words' times; otherwise those of the segments are all there is. */
  readonly words?: ReadonlyArray<Word & { readonly voice?: string }>
}

export interface Sound {
  /** An audio file in a format that the model reads; all of them read WAV. */
  readonly file: string
  /** Its length in seconds, by which a server bills. */
  readonly seconds: number
}

/** Bounds each call of a model in time, keeps the account of it, and sends the model no trace. */
export const accounted = Effect.fnUntraced(function* (
  model: Pick<ModelCall, "model" | "provider" | "cost">,
  limitOf: (sound: Sound) => Duration.Input,
  ask: (sound: Sound) => Effect.Effect<Recognized, SpeechModelUnavailable>
) {
  const { begin } = yield* ModelUsage
  return Effect.fn("SpeechModel.transcribe")(function* (sound: Sound) {
    const startedAt = yield* Clock.currentTimeMillis
    const call = { ...model, purpose: "transcribe", inputTokens: 0, outputTokens: 0 }
    yield* Effect.annotateCurrentSpan({ model: call.model, purpose: call.purpose, seconds: sound.seconds })
    const settle = yield* beginCall(begin, { ...call, outcome: "begun", durationMs: 0, seconds: sound.seconds })
    return yield* ask(sound).pipe(
      Effect.timeoutOrElse({ duration: limitOf(sound), orElse: () => unavailable("timeout") }),
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
})

import * as path from "node:path"
import { Effect, Schema } from "effect"
import { ObjectStore } from "../../../../layers/object-store/object-store.ts"
import { Renderer } from "../../../../layers/renderer/renderer.ts"
import { SpeechModel, type SpeechModelUnavailable } from "../../../../layers/speech-model.ts"
import { roundSeconds } from "../../../../schema/primitives.ts"
import { Word } from "../../../../schema/transcript.ts"
import type { ClaimedTask } from "../../../services/queue/tasks.ts"
import { joinPieces } from "../../../text/language/join-words.ts"
import { segmentsOf } from "../../../text/language/segments.ts"
import { spread } from "../../../text/language/spoken-words.ts"
import { Asking, generatorOf } from "../../asking.ts"
import { making, meetingOf } from "../../making.ts"
import { renderingFolders } from "../../scratch.ts"
import { StageFailed, type StageFailure, type StageHandler, StageWaits } from "../../stage.ts"

/** A piece is under the 25 MB that common servers accept, and overlaps the next by this many seconds. */
const pieceSeconds = 600
const overlapSeconds = 15

const version = { name: "transcribe", version: 1 }

const Heard = Schema.Struct({
  words: Schema.Array(Word),
  /** Whether the server timed the words, or only their segments. */
  timed: Schema.Boolean,
  language: Schema.optionalKey(Schema.String)
})

/** Splits a recording of this many seconds into the pieces that are transcribed. */
export const piecesOf = (duration: number): ReadonlyArray<{ readonly start: number; readonly end: number }> => {
  const count = Math.max(1, Math.ceil((duration - overlapSeconds) / pieceSeconds))
  return Array.from({ length: count }, (_, at) => ({
    start: at * pieceSeconds,
    end: Math.min(duration, (at + 1) * pieceSeconds + overlapSeconds)
  }))
}

const failedBy = (failure: SpeechModelUnavailable): StageFailure =>
  failure.reason === "rate_limited"
    ? new StageWaits({ message: failure.message, seconds: Math.max(1, failure.retryAfter ?? 60) })
    : new StageFailed({ message: failure.message, final: false, cause: failure.reason })

/**
 * Makes the raw transcript from the recording, a piece at a time: finished pieces survive the worker. An imported
 * transcript, such as published captions, is used instead.
 */
export const transcribeStage = Effect.gen(function* () {
  const speech = yield* SpeechModel
  const store = yield* ObjectStore
  const renderer = yield* Renderer
  const asking = yield* Asking
  const folderOf = yield* renderingFolders
  const { materials, pieces, skipped, write, made } = yield* making

  const unreadable = (cause: unknown) =>
    new StageFailed({ message: "The sound of the recording cannot be read.", final: false, cause })

  const work = Effect.fn("TranscribeStage.work")(function* (
    task: ClaimedTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const meeting = yield* meetingOf(task)
    for (const part of ["raw_transcript", "transcript"] as const) {
      if ((yield* materials.standing(meeting, part)) === "imported") {
        return skipped(task, "the meeting has a transcript, such as published captions")
      }
    }
    const recording = (yield* materials.file(meeting, "source")) ?? (yield* materials.file(meeting, "rendition"))
    if (recording === undefined) return skipped(task, "the meeting has no recording")
    if (!speech.isConfigured) return skipped(task, "no speech model is configured (SPEECH_MODEL_URL)")
    const folder = yield* folderOf(task)
    const file = yield* Effect.mapError(store.file(recording.key, folder), unreadable)
    if (!(yield* Effect.mapError(renderer.hasSound(file), unreadable)))
      return skipped(task, "the recording has no sound")
    const duration = recording.duration ?? (yield* Effect.mapError(renderer.probe(file), unreadable)).duration
    const plan = piecesOf(duration)

    const recognize = Effect.fnUntraced(function* (piece: { readonly start: number; readonly end: number }) {
      const key = `${version.version} ${speech.name} ${recording.hash} ${duration} ${piece.start}-${piece.end}`
      const known = yield* pieces.kept(task, key, Heard)
      if (known._tag === "Some") return known.value
      yield* asking.withinBudget
      const sound = path.join(folder, "piece.wav")
      yield* Effect.mapError(renderer.sound(file, piece, sound), unreadable)
      const seconds = piece.end - piece.start
      const { segments, words, language } = yield* Effect.mapError(
        speech.transcribe({ file: sound, seconds }),
        failedBy
      )
      const spoken = words ?? segments.flatMap(({ text, start, end }) => spread(text, start, end))
      const heard = {
        // Clamped to the end of the piece, because servers hallucinate words beyond it.
        words: spoken
          .filter(({ start, end, text }) => start < seconds && end >= start && text !== "")
          .map(({ start, end, text }) => ({
            start: roundSeconds(piece.start + start),
            end: roundSeconds(piece.start + Math.min(end, seconds)),
            text
          })),
        timed: words !== undefined,
        ...(language === undefined ? {} : { language })
      }
      yield* pieces.keep(task, key, Heard, heard)
      return heard
    })

    const heard = yield* Effect.forEach(plan, (piece, at) =>
      Effect.tap(recognize(piece), () => onProgress((at + 1) / plan.length))
    )
    const words = joinPieces(plan.map((piece, at) => ({ ...piece, words: heard[at]?.words ?? [] })))
    if (words.length === 0) return skipped(task, "nothing is said in the recording")
    const generator = generatorOf(version, speech.name)
    const isTimed = heard.every(({ timed }) => timed)
    const segments = segmentsOf(words).map(({ words: timed = [], ...segment }) =>
      isTimed ? { ...segment, words: timed } : segment
    )
    const language = heard.find((piece) => piece.language !== undefined)?.language ?? "en"
    return Effect.gen(function* () {
      yield* write([
        { type: "transcript", meeting_id: meeting, version: "raw", language, generator, duration, segments }
      ])
      yield* made(task, generator, ["raw_transcript"])
    })
  })

  return { work } satisfies StageHandler
})

import * as path from "node:path"
import { Effect, Schema } from "effect"
import { ObjectStore } from "../../../../layers/object-store/object-store.ts"
import { Renderer } from "../../../../layers/renderer/renderer.ts"
import { SpeechModel } from "../../../../layers/speech-model/speech-model.ts"
import { roundSeconds } from "../../../../schema/primitives.ts"
import { Word } from "../../../../schema/transcript.ts"
import { ModelBudget } from "../../../services/making/model-budget.ts"
import { given } from "../../../services/wire.ts"
import { joinPieces } from "../../../text/language/join-words.ts"
import { segmentsOf } from "../../../text/language/segments.ts"
import { spread } from "../../../text/language/spoken-words.ts"
import { namesOfVoices } from "../../../text/speakers/names.ts"
import { withVoices } from "../../../text/speakers/voices.ts"
import { generatorOf } from "../../asking.ts"
import { making, meetingOf } from "../../making.ts"
import { type RelyingTask, relying } from "../../relying.ts"
import { renderingFolders } from "../../scratch.ts"
import { StageFailed, type StageHandler } from "../../stage.ts"

/** A piece overlaps the next by this many seconds. */
const overlapSeconds = 15

const version = { name: "transcribe", version: 1 }

const Heard = Schema.Struct({
  words: Schema.Array(Schema.Struct({ ...Word.fields, voice: Schema.optionalKey(Schema.String) })),
  /** Whether the server timed the words, or only their segments. */
  timed: Schema.Boolean,
  language: Schema.optionalKey(Schema.String)
})

/** Splits a recording of this many seconds into the pieces that are transcribed, each so many seconds longer. */
export const piecesOf = (
  duration: number,
  pieceSeconds: number
): ReadonlyArray<{ readonly start: number; readonly end: number }> => {
  const count = Math.max(1, Math.ceil((duration - overlapSeconds) / pieceSeconds))
  return Array.from({ length: count }, (_, at) => ({
    start: at * pieceSeconds,
    end: Math.min(duration, (at + 1) * pieceSeconds + overlapSeconds)
  }))
}

/**
 * Makes the raw transcript from the recording, a piece at a time: finished pieces survive the worker. An imported
 * transcript, such as published captions, is used instead. If the speech model fails for good, the meeting has no
 * transcript.
 */
export const transcribeStage = Effect.gen(function* () {
  const speech = yield* SpeechModel
  const store = yield* ObjectStore
  const renderer = yield* Renderer
  const budget = yield* ModelBudget
  const rely = yield* relying
  const folderOf = yield* renderingFolders
  const { materials, pieces, skipped, write, made } = yield* making

  const unreadable = (cause: unknown) =>
    new StageFailed({ message: "The sound of the recording cannot be read.", final: false, cause })

  const work = Effect.fn("TranscribeStage.work")(function* (
    task: RelyingTask,
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
    const { models } = task
    const model = { role: "speech", model: speech.place } as const
    if (!speech.isConfigured) {
      const reason = "no speech model is configured (SPEECH_MODEL_URL or SPEECH_MODEL_FILE)"
      return Effect.asVoid(models.without({ ...model, kind: "none", reason }))
    }
    const folder = yield* folderOf(task)
    const file = yield* Effect.mapError(store.file(recording.key, folder), unreadable)
    const looked = yield* Effect.mapError(renderer.look(file), unreadable)
    if (!looked.hasSound) return skipped(task, "the recording has no sound")
    const duration = recording.duration ?? looked.duration
    const plan = piecesOf(duration, speech.pieceSeconds)

    const recognize = Effect.fnUntraced(function* (piece: { readonly start: number; readonly end: number }) {
      const key = `${version.version} ${speech.name} ${recording.hash} ${duration} ${piece.start}-${piece.end}`
      const known = yield* pieces.kept(task, key, Heard)
      if (known._tag === "Some") return known.value
      yield* budget.check
      const sound = path.join(folder, "piece.wav")
      yield* Effect.mapError(renderer.sound(file, piece, sound), unreadable)
      const seconds = piece.end - piece.start
      const { segments, words, language } = yield* speech.transcribe({ file: sound, seconds })
      const spoken =
        words ??
        segments.flatMap(({ text, start, end, voice }) =>
          spread(text, start, end).map((word) => ({ ...word, ...given("voice", voice) }))
        )
      const heard = {
        // Clamped to the end of the piece, because servers hallucinate words beyond it.
        words: spoken
          .filter(({ start, end, text }) => start < seconds && end >= start && text !== "")
          .map(({ start, end, text, voice }) => ({
            start: roundSeconds(piece.start + start),
            end: roundSeconds(piece.start + Math.min(end, seconds)),
            text,
            ...given("voice", voice)
          })),
        timed: words !== undefined,
        ...(language === undefined ? {} : { language })
      }
      yield* pieces.keep(task, key, Heard, heard)
      models.answered("speech", true)
      return heard
    })

    const heard = yield* Effect.forEach(plan, (piece, at) =>
      Effect.tap(recognize(piece), () => onProgress((at + 1) / plan.length))
    ).pipe(
      Effect.catchTags({
        SpeechModelUnavailable: ({ reason: cause, message: reason, retryAfter: after }) =>
          cause === "unreadable"
            ? Effect.fail(unreadable(cause))
            : models.without({ ...model, kind: cause === "bad_answer" ? "unusable" : "away", reason, after, cause }),
        BudgetSpent: (spent) => models.unpaid(model, spent)
      })
    )
    // What was heard is kept, for when the model is back.
    if (heard === undefined) return Effect.void
    const words = joinPieces(withVoices(plan.map((piece, at) => ({ ...piece, words: heard[at]?.words ?? [] }))))
    if (words.length === 0) return skipped(task, "nothing is said in the recording")
    const generator = generatorOf(version, speech.name)
    const isTimed = heard.every(({ timed }) => timed)
    const voiced = segmentsOf(words)
    const namings = namesOfVoices(voiced, (yield* materials.about(meeting))?.roster ?? [])
    const names = new Map(namings.map(({ voice, name }) => [voice, name]))
    const segments = voiced.map(({ words: timed = [], speaker, ...segment }) => ({
      ...segment,
      ...given("speaker", speaker === undefined ? undefined : (names.get(speaker) ?? speaker)),
      ...(isTimed ? { words: timed } : {})
    }))
    const speakers = namings.map(({ name, shownAt }) => ({ name, shown_at: shownAt }))
    const language = heard.find((piece) => piece.language !== undefined)?.language ?? "en"
    return Effect.gen(function* () {
      yield* write([
        {
          ...{ type: "transcript", meeting_id: meeting, version: "raw", language, generator, duration, segments },
          ...(speakers.length === 0 ? {} : { speakers })
        }
      ])
      yield* made(task, generator, ["raw_transcript"])
    })
  })

  return { work: rely(work) } satisfies StageHandler
})

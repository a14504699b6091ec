import { Effect } from "effect"
import type { SpeechFile } from "../config/config.ts"
import { accounted, type Sound, thisMachine, unavailable } from "./recognized.ts"
import { makeWhisper } from "./whisper.ts"

/** A model that is ten times slower than people speak is too large for the machine. */
const limitOf = ({ seconds }: Sound) => `${120 + 10 * seconds} seconds` as const

/**
 * The model in a file of whisper.cpp, run here by FFmpeg. Only stretches of speech have times. Its pieces are short,
 * because nothing is known of one until it is done, and one that is lost is computed again.
 */
export const modelIn = Effect.fnUntraced(function* (file: SpeechFile) {
  const { hear } = yield* makeWhisper
  const transcribe = yield* accounted({ model: file.name, provider: thisMachine, cost: 0 }, limitOf, (sound) =>
    hear(file, sound).pipe(
      Effect.map((heard) => ({
        language: file.language,
        segments: heard
          .filter(({ start }) => start < sound.seconds)
          .map((stretch) => ({ ...stretch, end: Math.min(stretch.end, sound.seconds) }))
      })),
      Effect.catchTags({
        WhisperFailed: ({ reason }) => Effect.fail(unavailable(reason === "empty" ? "not_loaded" : reason)),
        // The program that was found cannot be started.
        PlatformError: () => Effect.fail(unavailable("crashed"))
      })
    )
  )
  return { isConfigured: true, name: file.name, place: `${file.name} (${thisMachine})`, pieceSeconds: 180, transcribe }
})

import * as fs from "node:fs"
import { Effect, Option } from "effect"
import { Environment, type SpeechFile } from "../config/config.ts"
import { makeWhisper } from "./whisper.ts"

/** What there is to say about the file of a speech model, for an operator; `todo` only if it cannot be used. */
interface AboutSpeechFile {
  readonly found: string
  readonly todo?: string
}

/** The words at the head of a model in whisper.cpp's own format: `ggml`, then the size of its vocabulary. */
const magic = 0x67676d6c
/** Whisper's vocabularies in English; those of many languages have a few more. */
const englishWords = 51_864
const mostWords = 52_000

/** How many words the model of a file knows; none if it is no model of whisper.cpp. */
const wordsIn = (file: string): number | undefined => {
  const head = Buffer.alloc(8)
  const opened = fs.openSync(file, "r")
  try {
    fs.readSync(opened, head)
  } finally {
    fs.closeSync(opened)
  }
  const words = head.readInt32LE(4)
  return head.readUInt32LE(0) === magic && words >= englishWords && words <= mostWords ? words : undefined
}

/** How to get the filter, in the words of docs/operations.md. */
const install = "Run: npm install --no-save --ignore-scripts node-av@6.1.1. Or name an ffmpeg 8 with it in FFMPEG_PATH."

const again = "Copy the whole file again from where it came: it is damaged, cut short or for tests."

/** Looks at a model's file and for the filter that reads it, without loading the model. */
const looked = Effect.fnUntraced(function* ({ path, name, language }: SpeechFile) {
  const words = yield* Effect.option(Effect.try(() => wordsIn(path)))
  if (Option.isNone(words)) return { found: `${path} cannot be read`, todo: "Check SPEECH_MODEL_FILE." }
  if (words.value === undefined) {
    return {
      found: `${name} is not a whisper.cpp model`,
      todo: "Name a ggml-….bin of whisper.cpp in SPEECH_MODEL_FILE: neither a .gguf nor a model of voice activity."
    }
  }
  if (words.value === englishWords && language !== "en") {
    return {
      found: `${name} knows English only, and SPEECH_MODEL_LANGUAGE is ${language}`,
      todo: "Name a model of many languages, one without .en in its name."
    }
  }
  const { find } = yield* makeWhisper
  const whisper = yield* find
  if (Option.isNone(whisper)) return { found: "no FFmpeg with the whisper filter is at hand", todo: install }
  return { found: `${name}, by the whisper filter of ${whisper.value.where}` }
})

/** Loads the model of a file as a transcription would. */
export const aboutSpeechFile = Effect.fnUntraced(function* (file: SpeechFile) {
  const about: AboutSpeechFile = yield* looked(file)
  if (about.todo !== undefined) return about
  const { hear } = yield* makeWhisper
  return yield* Effect.match(hear(file), {
    onSuccess: (): AboutSpeechFile => ({ found: `${about.found}: it loads` }),
    onFailure: (failure): AboutSpeechFile => {
      const reason = failure._tag === "WhisperFailed" ? failure.reason : "crashed"
      if (reason === "not_loaded") return { found: `${about.found}: it does not load`, todo: again }
      if (reason === "empty") return { found: `${about.found}: it loads, and has no weights`, todo: again }
      return {
        found: `${about.found}: the filter crashes`,
        todo: "node-av needs Vulkan's loader even without a graphics card: on Debian, apt-get install libvulkan1."
      }
    }
  })
})

/** At startup, says which model's file is used, or what is wrong with it. */
export const logSpeechFile = Effect.gen(function* () {
  const { speechFile } = yield* Environment
  if (Option.isNone(speechFile)) return
  const { found, todo }: AboutSpeechFile = yield* looked(speechFile.value)
  yield* todo === undefined
    ? Effect.logInfo(`Recordings are transcribed by ${found}`)
    : Effect.logWarning(`Recordings cannot be transcribed: ${found}. ${todo}`)
})

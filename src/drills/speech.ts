import * as fs from "node:fs"
import * as path from "node:path"
import { Worker } from "node:worker_threads"
import { Data, Effect, Schema } from "effect"
import { roundSeconds } from "../../schema/primitives.ts"
import type { Segment, Word } from "../../schema/transcript.ts"
import type { Turn } from "./script.ts"
import type { SpeechRequest } from "./speech-worker.ts"

/** The synthesizer could not be run. */
export class SpeechFailed extends Data.TaggedError("SpeechFailed")<{ readonly cause: unknown }> {
  override readonly message = "The speech of the drill could not be made."
}

/** The speech, with times in seconds from the start of the recording. */
export interface SpokenMeeting {
  /** WAV, 16 kHz, one channel, 16 bits. */
  readonly file: string
  readonly duration: number
  /** A segment per turn, with exact times of its words. */
  readonly segments: ReadonlyArray<Segment & { readonly words: ReadonlyArray<Word> }>
}

/** Seconds of silence before the first turn, after each, and before an item is taken up. */
const pauses = { first: 1, turn: 0.5, item: 1.2 }

const rate = 16_000
const bytesPerSecond = rate * 2
const headBytes = 44

/** The head of a WAV file with this many bytes of sound. */
const waveHead = (bytes: number): Buffer => {
  const head = Buffer.alloc(headBytes)
  head.write("RIFF", 0)
  head.writeUInt32LE(headBytes - 8 + bytes, 4)
  head.write("WAVEfmt ", 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(bytesPerSecond, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write("data", 36)
  head.writeUInt32LE(bytes, 40)
  return head
}

const plain = (word: string): string => word.toLowerCase().replace(/[^a-z']/g, "")

/** A phone that is silence. */
const silence = "pau"

const Answer = Schema.Struct({ turns: Schema.Array(Schema.String), words: Schema.String })

const asked = (request: SpeechRequest) =>
  Effect.callback<unknown, SpeechFailed>((resume) => {
    const failed = (cause: unknown) => resume(Effect.fail(new SpeechFailed({ cause })))
    const worker = new Worker(new URL("./speech-worker.ts", import.meta.url), {
      workerData: request,
      // It prints only the warning that WASI is experimental.
      stderr: true
    })
    worker.once("message", (answer) => resume(Effect.succeed(answer)))
    worker.once("error", failed)
    worker.once("exit", failed)
    return Effect.promise(() => worker.terminate())
  }).pipe(
    Effect.flatMap((answer) =>
      Effect.mapError(Schema.decodeUnknownEffect(Answer)(answer), (cause) => new SpeechFailed({ cause }))
    )
  )

/**
 * When each word of a turn is spoken, from the phones and their ends in seconds. `counts` is the number of phones of
 * each word, which separates the words, because the synthesizer names none. Undefined if the two do not add up.
 */
const timed = (text: string, phones: string, counts: ReadonlyMap<string, number>): ReadonlyArray<Word> | undefined => {
  let before = 0
  const sounds = phones.split(/\s+/).flatMap((entry) => {
    const [phone = "", time] = entry.split(":")
    if (time === undefined) return []
    const [start, end] = [before, Number(time)]
    before = end
    return phone === silence ? [] : [{ start, end }]
  })
  let at = 0
  const words = text.split(/\s+/).flatMap((word) => {
    const own = sounds.slice(at, at + (counts.get(plain(word)) ?? 0))
    at += own.length
    const [first, last] = [own[0], own.at(-1)]
    return first === undefined || last === undefined ? [] : [{ start: first.start, end: last.end, text: word }]
  })
  return at === sounds.length && words.length === text.split(/\s+/).length ? words : undefined
}

/** Speaks turns into one recording in a folder, and returns when each word is spoken. */
export const spokenMeeting = Effect.fn("Drill.speak")(function* (turns: ReadonlyArray<Turn>, folder: string) {
  const all = [...new Set(turns.flatMap(({ text }) => text.split(/\s+/).map(plain)))]
  const { turns: said, words } = yield* asked({
    folder,
    turns: turns.map(({ text }) => text),
    words: all
  })
  // Each word is spoken between silences.
  const spelled = ` ${words.split(/\s+/).join(" ")} `.split(/(?: pau(?= ))+/).filter((phones) => phones.trim() !== "")
  const counts = new Map(all.map((word, at) => [word, spelled[at]?.trim().split(" ").length ?? 0]))
  const sound: Array<Buffer> = []
  let bytes = 0
  const add = (part: Buffer) => {
    sound.push(part)
    bytes += part.length
  }
  const quiet = (seconds: number) => add(Buffer.alloc(Math.round(seconds * rate) * 2))
  const segments: Array<SpokenMeeting["segments"][number]> = []
  quiet(pauses.first)
  for (const [at, { text, speaker, item }] of turns.entries()) {
    const spoken = timed(text, said[at] ?? "", counts)
    if (spoken === undefined) {
      return yield* new SpeechFailed({ cause: new Error(`The phones of turn ${at} are not those of its words.`) })
    }
    if (item !== undefined && at > 0) quiet(pauses.item)
    const from = bytes / bytesPerSecond
    add(fs.readFileSync(path.join(folder, `${at}.wav`)).subarray(headBytes))
    quiet(pauses.turn)
    const own = spoken.map((word) => ({
      start: roundSeconds(from + word.start),
      end: roundSeconds(from + word.end),
      text: word.text
    }))
    segments.push({ start: own[0]?.start ?? from, end: own.at(-1)?.end ?? from, speaker, text, words: own })
  }
  const file = path.join(folder, "speech.wav")
  fs.writeFileSync(file, Buffer.concat([waveHead(bytes), ...sound]))
  return { file, duration: bytes / bytesPerSecond, segments } satisfies SpokenMeeting
})

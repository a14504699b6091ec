import { Result, Schema } from "effect"
import type { Segment } from "../../../../schema/transcript.ts"
import { decoder, type Fault } from "../decode.ts"
import { segmentOf, sentencesOf, type TimedWord, wordOf } from "../segments.ts"

/** What the JSON of a speech service says, whichever it is. */
interface Heard {
  readonly segments: ReadonlyArray<Segment>
  readonly language?: string | null | undefined
}

/** How one service writes what it heard. */
export interface Shape {
  /** The service, as the transcript names it. */
  readonly generator: string
  /** Keys that occur in its files; all of one list tell it. */
  readonly keys: ReadonlyArray<ReadonlyArray<string>>
  readonly read: (document: unknown) => Result.Result<Heard, Fault>
}

const optional = Schema.optionalKey
const text = optional(Schema.NullOr(Schema.String))
const number = optional(Schema.NullOr(Schema.Finite))
const list = <S extends Schema.Constraint>(schema: S) => optional(Schema.NullOr(Schema.Array(schema)))
const speaker = optional(Schema.NullOr(Schema.Union([Schema.String, Schema.Finite])))

const shape = <S extends Schema.ConstraintDecoder<unknown>>(
  generator: string,
  keys: Shape["keys"],
  schema: S,
  heard: (document: S["Type"]) => Heard
): Shape => {
  const decode = decoder(schema)
  return { generator, keys, read: (document) => Result.map(decode(document), heard) }
}

/** The name of a voice that has a number or a letter. */
const voice = (found: string | number | null | undefined): string | undefined =>
  found === null || found === undefined || found === ""
    ? undefined
    : /^[\d]+$|^[A-Z]$/.test(`${found}`)
      ? `Speaker ${found}`
      : `${found}`

const timed = (words: ReadonlyArray<TimedWord>) => words.flatMap(({ start, end, text }) => wordOf(start, end, text))

/** YouTube's json3: events in milliseconds, whose parts have offsets; one that appends is a line break. */
const json3 = shape(
  "YouTube",
  [
    ["events", "tStartMs"],
    ["wireMagic", "events"]
  ],
  Schema.Struct({
    events: Schema.Array(
      Schema.Struct({
        tStartMs: number,
        dDurationMs: number,
        aAppend: number,
        segs: list(Schema.Struct({ utf8: text, tOffsetMs: number }))
      })
    )
  }),
  ({ events }) => {
    const said = events.filter(({ segs, aAppend }) => segs !== null && segs !== undefined && aAppend !== 1)
    return {
      segments: said.flatMap(({ tStartMs, dDurationMs, segs }, at) => {
        const start = (tStartMs ?? 0) / 1000
        const next = (said[at + 1]?.tStartMs ?? Number.POSITIVE_INFINITY) / 1000
        const end = Math.min(start + (dDurationMs ?? 0) / 1000, next > start ? next : Number.POSITIVE_INFINITY)
        const parts = segs ?? []
        const offset = (one: (typeof parts)[number] | undefined) =>
          typeof one?.tOffsetMs === "number" ? start + one.tOffsetMs / 1000 : undefined
        const isTimed = parts.some(({ tOffsetMs }) => typeof tOffsetMs === "number")
        const words = parts.flatMap((part, index) => {
          const from = offset(part) ?? start
          return wordOf(from, Math.max(from, offset(parts[index + 1]) ?? end), part.utf8 ?? "")
        })
        return segmentOf(start, end, parts.map(({ utf8 }) => utf8 ?? "").join(""), isTimed ? words : [])
      })
    }
  }
)

const AssemblyWord = Schema.Struct({ text: Schema.String, start: Schema.Finite, end: Schema.Finite, speaker })

const assemblyWords = (words: ReadonlyArray<typeof AssemblyWord.Type> | null | undefined) =>
  (words ?? []).map((word) => ({
    ...word,
    start: word.start / 1000,
    end: word.end / 1000,
    speaker: voice(word.speaker)
  }))

/** AssemblyAI: milliseconds; utterances only where it told the voices apart. */
const assembly = shape(
  "AssemblyAI",
  [["acoustic_model"], ["audio_duration", "utterances"], ["audio_url", "language_code"]],
  Schema.Struct({
    language_code: text,
    utterances: list(Schema.Struct({ ...AssemblyWord.fields, words: list(AssemblyWord) })),
    words: list(AssemblyWord)
  }),
  ({ language_code, utterances, words }) => ({
    language: language_code,
    segments:
      utterances === null || utterances === undefined || utterances.length === 0
        ? sentencesOf(assemblyWords(words))
        : utterances.flatMap((said) =>
            segmentOf(
              said.start / 1000,
              said.end / 1000,
              said.text,
              timed(assemblyWords(said.words)),
              voice(said.speaker)
            )
          )
  })
)

const DeepgramWord = Schema.Struct({
  word: Schema.String,
  punctuated_word: text,
  start: Schema.Finite,
  end: Schema.Finite,
  speaker
})

const deepgramWords = (words: ReadonlyArray<typeof DeepgramWord.Type> | null | undefined) =>
  (words ?? []).map(({ word, punctuated_word, start, end, speaker: by }) => ({
    ...{ start, end, text: punctuated_word ?? word },
    speaker: voice(by)
  }))

/** Deepgram: seconds; utterances only if they were asked for, else the words of the first channel. */
const deepgram = shape(
  "Deepgram",
  [
    ["request_id", "channels"],
    ["request_id", "model_info"],
    ["request_id", "utterances"]
  ],
  Schema.Struct({
    results: Schema.Struct({
      utterances: list(
        Schema.Struct({
          ...{ start: Schema.Finite, end: Schema.Finite, transcript: Schema.String, speaker },
          words: list(DeepgramWord)
        })
      ),
      channels: list(
        Schema.Struct({
          detected_language: text,
          alternatives: Schema.Array(Schema.Struct({ words: list(DeepgramWord) }))
        })
      )
    })
  }),
  ({ results: { utterances, channels } }) => ({
    language: channels?.[0]?.detected_language,
    segments:
      utterances === null || utterances === undefined || utterances.length === 0
        ? (channels ?? []).flatMap(({ alternatives }) => sentencesOf(deepgramWords(alternatives[0]?.words)))
        : utterances.flatMap(({ start, end, transcript, speaker: by, words }) =>
            segmentOf(start, end, transcript, timed(deepgramWords(words)), voice(by))
          )
  })
)

/** Amazon Transcribe: seconds as text; punctuation has no time, and belongs to the word before. */
const amazon = shape(
  "Amazon Transcribe",
  [["jobName", "results"]],
  Schema.Struct({
    results: Schema.Struct({
      language_code: text,
      items: Schema.Array(
        Schema.Struct({
          type: text,
          start_time: text,
          end_time: text,
          speaker_label: text,
          alternatives: Schema.Array(Schema.Struct({ content: Schema.String }))
        })
      ),
      speaker_labels: optional(
        Schema.NullOr(
          Schema.Struct({
            segments: Schema.Array(
              Schema.Struct({ items: list(Schema.Struct({ start_time: Schema.String, speaker_label: text })) })
            )
          })
        )
      )
    })
  }),
  ({ results: { language_code, items, speaker_labels } }) => {
    const labels = new Map(
      (speaker_labels?.segments ?? []).flatMap((one) =>
        (one.items ?? []).map(({ start_time, speaker_label }) => [start_time, speaker_label] as const)
      )
    )
    const words: Array<{ start: number; end: number; text: string; speaker: string | undefined }> = []
    for (const { start_time, end_time, speaker_label, alternatives } of items) {
      const content = alternatives[0]?.content ?? ""
      const last = words.at(-1)
      if (typeof start_time === "string") {
        const by = voice(speaker_label ?? labels.get(start_time))
        words.push({ start: Number(start_time), end: Number(end_time ?? start_time), text: content, speaker: by })
      } else if (last !== undefined) last.text += content
    }
    return { language: language_code, segments: sentencesOf(words) }
  }
)

/** The seconds of `"1.400s"`, of a number, or of `{ seconds, nanos }`. */
const GoogleTime = optional(
  Schema.NullOr(
    Schema.Union([
      Schema.String,
      Schema.Finite,
      Schema.Struct({ seconds: optional(Schema.Union([Schema.String, Schema.Finite])), nanos: number })
    ])
  )
)

const googleSeconds = (time: (typeof GoogleTime)["Type"] | undefined): number => {
  if (typeof time === "number") return time
  if (typeof time === "string") return Number(time.replace(/s$/, ""))
  return Number(time?.seconds ?? 0) + (time?.nanos ?? 0) / 1e9
}

/** Google: with voices told apart, the last result has all words again. */
const google = shape(
  "Google Speech-to-Text",
  [["results", "alternatives"]],
  Schema.Struct({
    results: Schema.Array(
      Schema.Struct({
        languageCode: text,
        alternatives: list(
          Schema.Struct({
            transcript: text,
            words: list(
              Schema.Struct({
                ...{ startTime: GoogleTime, endTime: GoogleTime, startOffset: GoogleTime, endOffset: GoogleTime },
                ...{ word: Schema.String, speakerTag: speaker, speakerLabel: speaker }
              })
            )
          })
        )
      })
    )
  }),
  ({ results }) => {
    const wordsOf = (result: (typeof results)[number]) =>
      (result.alternatives?.[0]?.words ?? []).map(({ word, startTime, startOffset, endTime, endOffset, ...by }) => ({
        start: googleSeconds(startTime ?? startOffset),
        end: googleSeconds(endTime ?? endOffset ?? startTime ?? startOffset),
        text: word,
        speaker: voice(by.speakerLabel ?? (by.speakerTag === 0 ? undefined : by.speakerTag))
      }))
    const last = results.at(-1)
    const all = last === undefined ? [] : wordsOf(last)
    const isAll = all.some((word) => word.speaker !== undefined)
    return {
      language: results.find(({ languageCode }) => typeof languageCode === "string")?.languageCode,
      segments: isAll ? sentencesOf(all) : results.flatMap((result) => sentencesOf(wordsOf(result)))
    }
  }
)

/** The first that are tried know themselves by more. */
export const firstShapes: ReadonlyArray<Shape> = [json3, assembly, deepgram, amazon]
export const lastShapes: ReadonlyArray<Shape> = [google]
export { optional, shape, speaker, text, voice }

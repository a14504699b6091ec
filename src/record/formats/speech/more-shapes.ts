import { Schema } from "effect"
import { clockSeconds } from "../other-captions/cue.ts"
import { segmentOf, wordOf } from "../segments.ts"
import { optional, type Shape, shape, speaker, text, voice } from "./shapes.ts"

const Ticks = optional(Schema.NullOr(Schema.Finite))
const ticksInSecond = 10_000_000

/** The seconds of an ISO 8601 duration such as `PT1M0.76S`. */
const isoSeconds = (duration: string | null | undefined): number => {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(duration ?? "") ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

const AzureSpan = {
  offset: text,
  duration: text,
  offsetInTicks: Ticks,
  durationInTicks: Ticks,
  offsetMilliseconds: Ticks,
  durationMilliseconds: Ticks
}

type AzureSpan = Schema.Struct.Type<typeof AzureSpan>

const azureSpan = (span: AzureSpan) => {
  const start =
    typeof span.offsetInTicks === "number"
      ? span.offsetInTicks / ticksInSecond
      : typeof span.offsetMilliseconds === "number"
        ? span.offsetMilliseconds / 1000
        : isoSeconds(span.offset)
  const length =
    typeof span.durationInTicks === "number"
      ? span.durationInTicks / ticksInSecond
      : typeof span.durationMilliseconds === "number"
        ? span.durationMilliseconds / 1000
        : isoSeconds(span.duration)
  return { start, end: start + length }
}

/** Azure's batch transcription: ticks of a tenth of a microsecond, milliseconds or durations, by its version. */
const azure = shape(
  "Azure Speech",
  [["recognizedPhrases"], ["combinedRecognizedPhrases"]],
  Schema.Struct({
    recognizedPhrases: Schema.Array(
      Schema.Struct({
        ...AzureSpan,
        speaker,
        locale: text,
        nBest: optional(
          Schema.NullOr(
            Schema.Array(
              Schema.Struct({
                display: text,
                words: optional(Schema.NullOr(Schema.Array(Schema.Struct({ ...AzureSpan, word: Schema.String }))))
              })
            )
          )
        )
      })
    )
  }),
  ({ recognizedPhrases }) => ({
    language: recognizedPhrases.find(({ locale }) => typeof locale === "string")?.locale,
    segments: recognizedPhrases.flatMap((phrase) => {
      const { start, end } = azureSpan(phrase)
      const best = phrase.nBest?.[0]
      const words = (best?.words ?? []).flatMap((word) => {
        const span = azureSpan(word)
        return wordOf(span.start, span.end, word.word)
      })
      return segmentOf(start, end, best?.display ?? "", words, voice(phrase.speaker))
    })
  })
)

/** whisper.cpp: milliseconds, or clocks where those are missing. */
const whisperCpp = shape(
  "whisper.cpp",
  [
    ["systeminfo", "transcription"],
    ["transcription", "offsets"]
  ],
  Schema.Struct({
    result: optional(Schema.Struct({ language: text })),
    transcription: Schema.Array(
      Schema.Struct({
        offsets: optional(Schema.Struct({ from: Schema.Finite, to: Schema.Finite })),
        timestamps: optional(Schema.Struct({ from: Schema.String, to: Schema.String })),
        text: Schema.String,
        speaker
      })
    )
  }),
  ({ result, transcription }) => ({
    language: result?.language,
    segments: transcription.flatMap(({ offsets, timestamps, text: said, speaker: by }) => {
      const start = offsets === undefined ? clockSeconds(timestamps?.from ?? "") : offsets.from / 1000
      const end = offsets === undefined ? clockSeconds(timestamps?.to ?? "") : offsets.to / 1000
      return segmentOf(start, end, said, [], voice(by))
    })
  })
)

/** The JSON of the Podcasting 2.0 namespace: seconds; its speakers are named once where they go on. */
const podcast = shape(
  "Podcasting 2.0",
  [["segments", "startTime", "body"]],
  Schema.Struct({
    segments: Schema.Array(
      Schema.Struct({ speaker: text, startTime: Schema.Finite, endTime: Ticks, body: Schema.String })
    )
  }),
  ({ segments }) => ({
    segments: segments.flatMap(({ speaker: by, startTime, endTime, body }) =>
      segmentOf(startTime, endTime ?? startTime, body, [], by)
    )
  })
)

export const moreShapes: ReadonlyArray<Shape> = [azure, whisperCpp, podcast]

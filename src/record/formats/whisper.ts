import { basename, dirname } from "node:path"
import { Effect, FileSystem, Result, Schema, Stream } from "effect"
import type { Segment } from "../../../schema/transcript.ts"
import { isInside, linkMessage } from "../inside.ts"
import { decoder, type Fault } from "./decode.ts"
import { encodingNote } from "./encoding.ts"
import { documentOf, linesOf } from "./files.ts"
import { type Format, type Items, mentions, type SourceFile, type SourceFiles } from "./format.ts"
import { rejected, repeated } from "./item.ts"
import { languageOf } from "./language.ts"
import { factsBeside, recordingItems } from "./recording.ts"
import { segmentOf, wordOf } from "./segments.ts"
import { factsOr } from "./sidecar.ts"

const optional = Schema.optionalKey
const text = optional(Schema.NullOr(Schema.String))
const second = optional(Schema.NullOr(Schema.Finite))

/** The JSON of Whisper, and of WhisperX, which adds words and speakers; a word that it could not align has no times. */
const Whisper = Schema.Struct({
  language: text,
  segments: Schema.Array(
    Schema.Struct({
      start: Schema.Finite,
      end: Schema.Finite,
      text: Schema.String,
      speaker: text,
      words: optional(Schema.NullOr(Schema.Array(Schema.Struct({ word: Schema.String, start: second, end: second }))))
    })
  )
})

/** Sentences by speaker and time; their text is in `<name>.sentences.tsv`, by number. */
const Diarized = Schema.Struct({
  language: text,
  sentenceMetadata: Schema.Array(
    Schema.Tuple([Schema.String, Schema.Union([Schema.Int, Schema.String]), Schema.Finite, Schema.Finite])
  )
})

const decodeWhisper = decoder(Whisper)
const decodeDiarized = decoder(Diarized)

interface Read {
  readonly language: string
  readonly segments: ReadonlyArray<Segment>
}

const ofWhisper = (whisper: typeof Whisper.Type): Read => ({
  language: languageOf(whisper.language),
  segments: whisper.segments.flatMap((segment) => {
    const words = (segment.words ?? []).flatMap(({ word, start, end }) =>
      typeof start === "number" && typeof end === "number" ? wordOf(start, end, word) : []
    )
    return segmentOf(segment.start, segment.end, segment.text, words, segment.speaker)
  })
})

const speakerName = (speaker: string | number): string =>
  typeof speaker === "number" ? `SPEAKER_${String(speaker).padStart(2, "0")}` : speaker

const ofDiarized = (diarized: typeof Diarized.Type, sentences: ReadonlyMap<string, string>): Read => ({
  language: languageOf(diarized.language),
  segments: diarized.sentenceMetadata.flatMap(([number, speaker, start, end]) =>
    segmentOf(start, end, sentences.get(number) ?? "", [], speakerName(speaker))
  )
})

/** The file with the sentences of a diarized one. */
const sentencesBeside = (path: string): string => path.replace(/(\.diarized)?\.json$/i, ".sentences.tsv")

const readDocument = Effect.fnUntraced(function* (path: string, document: unknown) {
  if (typeof document !== "object" || document === null || !("sentenceMetadata" in document)) {
    return Result.map(decodeWhisper(document), ofWhisper)
  }
  const fs = yield* FileSystem.FileSystem
  const beside = sentencesBeside(path)
  if (!(yield* Effect.orElseSucceed(fs.exists(beside), () => false))) {
    return Result.fail<Fault>({
      field: "sentenceMetadata",
      message: `has no text: ${basename(beside)} is not beside it`
    })
  }
  if (!isInside(dirname(beside), beside)) {
    return Result.fail<Fault>({ field: "sentenceMetadata", message: `has no text: ${basename(beside)} ${linkMessage}` })
  }
  const sentences = new Map<string, string>()
  yield* Stream.runForEach(linesOf(beside), ({ text }) =>
    Effect.sync(() => {
      const line = Result.getOrElse(text, () => "")
      const tab = line.indexOf("\t")
      if (tab > 0) sentences.set(line.slice(0, tab), line.slice(tab + 1))
    })
  )
  return Result.map(decodeDiarized(document), (diarized) => ofDiarized(diarized, sentences))
})

const readRecording = (recording: SourceFile): Items =>
  Stream.unwrap(
    Effect.gen(function* () {
      const origin = { file: recording.file, line: 1 }
      const { value: document, encoding } = yield* documentOf(recording.path)
      if (Result.isFailure(document)) return Stream.make(rejected(origin, "", document.failure))
      const read = yield* readDocument(recording.path, document.success)
      if (Result.isFailure(read)) return Stream.make(rejected(origin, read.failure.field, read.failure.message))
      const beside = factsOr(yield* factsBeside(recording))
      // A recognizer's own words, unless a fact says that they were corrected.
      const version = beside.transcript_version ?? recording.facts.transcript_version ?? "raw"
      const transcripts = [{ version, ...read.success }]
      const items = yield* recordingItems(recording, recording.file, transcripts)
      return Stream.fromIterable([...encodingNote(origin, encoding), ...items])
    })
  )

/**
 * The same recording twice, where one transcript has the times of its words: `talk.whisperx.json` beside `talk.json`.
 */
const together = (files: ReadonlyArray<SourceFile>): ReadonlyArray<SourceFiles> => {
  const groups = Map.groupBy(files, ({ file }) => file.replace(/\.(whisperx|diarized)\.json$|\.json$/i, ""))
  return [...groups.values()].flatMap((group): ReadonlyArray<SourceFiles> => {
    const timed = group.find(({ file }) => /\.whisperx\.json$/i.test(file))
    return timed === undefined
      ? group.map((file) => [file] as const)
      : [[timed, ...group.filter((file) => file !== timed)]]
  })
}

/**
 * The JSON of Whisper or WhisperX, or a diarized one with its sentences beside it: one meeting, whose body, place and
 * day come from the flags or from `meeting.json` beside it. A word without times stays in its segment's text only.
 */
export const whisper: Format = {
  name: "whisper",
  about: "Whisper or WhisperX JSON",
  isRecord: (record) => "segments" in record || "sentenceMetadata" in record,
  isHead: (head) => mentions(head, "segments", "sentenceMetadata") || /^\s*\{\s*"text"\s*:/.test(head),
  isPart: (name) => /\.sentences\.tsv$/i.test(name),
  together,
  read: ([best, ...others]) =>
    Stream.concat(
      readRecording(best),
      Stream.fromIterable(
        others.map(({ file }) => repeated({ file, line: 1 }, `is the recording of ${best.file}, which says more`))
      )
    )
}

import { DateTime, Effect, type FileSystem, Option, type Path, Result, Schema, Stream } from "effect"
import type { Segment } from "../../../schema/transcript.ts"
import { decoder, type Fault } from "./decode.ts"
import { documentOf } from "./files.ts"
import { type Item, type ReadError, rejected } from "./item.ts"
import { type RecordingFile, recordingItems, segmentOf, wordOf } from "./recording.ts"
import type { MeetingFacts } from "./row.ts"
import { type LooseTranscript, usualLanguage } from "./transcripts.ts"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))

const Said = Schema.Struct({ start_time: Schema.Finite, end_time: Schema.Finite, text: Schema.String })

/** A transcript of Council Data Project, version 3 on: a session's sentences with timed words. */
const Session = Schema.Struct({
  generator: text,
  session_datetime: text,
  sentences: Schema.Array(
    Schema.Struct({ ...Said.fields, speaker_name: text, words: Schema.optionalKey(Schema.NullOr(Schema.Array(Said))) })
  )
})
type Session = typeof Session.Type

/** The older shapes, of cdptools: what was said in one of four ways, told apart by `format`. */
const Older = Schema.Union([
  Schema.Struct({
    format: Schema.Literals(["raw", "timestamped-sentences", "timestamped-words"]),
    data: Schema.Array(Said)
  }),
  Schema.Struct({
    format: Schema.Literal("timestamped-speaker-turns"),
    data: Schema.Array(Schema.Struct({ speaker: text, data: Schema.Array(Said) }))
  })
])
type Older = typeof Older.Type

const decodeSession = decoder(Session)
const decodeOlder = decoder(Older)

/** Sentences of timed words: one ends with a full stop, or before two seconds in which nothing is said. */
const sentencesOf = (words: ReadonlyArray<typeof Said.Type>): ReadonlyArray<Segment> => {
  const sentences: Array<Array<typeof Said.Type>> = []
  for (const word of words) {
    const open = sentences.at(-1)
    const last = open?.at(-1)
    const goesOn = last !== undefined && !/[.?!]["”)]?$/.test(last.text.trim()) && word.start_time - last.end_time < 2
    if (open !== undefined && goesOn) open.push(word)
    else sentences.push([word])
  }
  return sentences.flatMap((sentence) => {
    const said = sentence.flatMap((word) => wordOf(word.start_time, word.end_time, word.text))
    const first = said[0]
    return first === undefined
      ? []
      : segmentOf(first.start, said.at(-1)?.end ?? first.end, said.map((word) => word.text).join(" "), said)
  })
}

const segmentsOfOlder = (older: Older): ReadonlyArray<Segment> => {
  if (older.format === "timestamped-words") return sentencesOf(older.data)
  if (older.format === "timestamped-speaker-turns") {
    return older.data.flatMap((turn) =>
      turn.data.flatMap((said) => segmentOf(said.start_time, said.end_time, said.text, [], turn.speaker))
    )
  }
  return older.data.flatMap((said) => segmentOf(said.start_time, said.end_time, said.text))
}

const segmentsOfSession = (session: Session): ReadonlyArray<Segment> =>
  session.sentences.flatMap((sentence) =>
    segmentOf(
      sentence.start_time,
      sentence.end_time,
      sentence.text,
      (sentence.words ?? []).flatMap((word) => wordOf(word.start_time, word.end_time, word.text)),
      sentence.speaker_name
    )
  )

interface Read {
  readonly segments: ReadonlyArray<Segment>
  readonly generator: string | undefined
  readonly sessionDatetime: string | undefined
}

const readDocument = (document: unknown): Result.Result<Read, Fault> => {
  if (typeof document === "object" && document !== null && "format" in document) {
    return Result.map(decodeOlder(document), (older) => ({
      segments: segmentsOfOlder(older),
      generator: undefined,
      sessionDatetime: undefined
    }))
  }
  return Result.map(decodeSession(document), (session) => ({
    segments: segmentsOfSession(session),
    generator: session.generator ?? undefined,
    sessionDatetime: session.session_datetime ?? undefined
  }))
}

/** What a session's date and time, with its offset, say of the meeting. */
const factsOf = (sessionDatetime: string | undefined): MeetingFacts => {
  const [, date, hour, minute, offset] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.exec(sessionDatetime ?? "") ?? []
  if (date === undefined) return {}
  const instant = offset === undefined ? Option.none() : DateTime.make(sessionDatetime ?? "")
  if (Option.isNone(instant)) return { date }
  return {
    date,
    starts_at: DateTime.formatIso(instant.value).replace(".000Z", "Z"),
    title: `Session of ${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? "AM" : "PM"}`
  }
}

/** A session's files: the transcript as it was mended (or the only one), and the recogniser's own where there is one. */
export interface SessionFiles extends RecordingFile {
  readonly rawPath?: string
}

/** A project's council, where nothing says what body met. */
const usualBody: MeetingFacts = { body: "City Council" }

/**
 * Reads one session of Council Data Project: its transcript, and the raw one beside it. The day is the session's own
 * where it says one; the body is the city's council unless flags or `meeting.json` say otherwise.
 */
export const readSession = (files: SessionFiles): Stream.Stream<Item, ReadError, FileSystem.FileSystem | Path.Path> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const transcripts: Array<LooseTranscript> = []
      let said: MeetingFacts = {}
      for (const path of [files.path, ...(files.rawPath === undefined ? [] : [files.rawPath])]) {
        const file = path === files.path ? files.file : files.file.replace(/[^/]+$/, path.split("/").at(-1) ?? "")
        const document = yield* documentOf(path)
        if (Result.isFailure(document)) return Stream.make(rejected({ file, line: 1 }, "", document.failure))
        const transcript = readDocument(document.success)
        if (Result.isFailure(transcript)) {
          return Stream.make(rejected({ file, line: 1 }, transcript.failure.field, transcript.failure.message))
        }
        const { segments, generator, sessionDatetime } = transcript.success
        said = { ...factsOf(sessionDatetime), ...said }
        transcripts.push({
          version: path === files.path ? "refined" : "raw",
          language: usualLanguage,
          ...(generator === undefined ? {} : { generator }),
          segments
        })
      }
      // The time of day is a title for want of a better one.
      const { title, ...settled } = said
      return Stream.fromIterable(
        yield* recordingItems(files, settled, transcripts, { ...usualBody, ...(title === undefined ? {} : { title }) })
      )
    })
  )

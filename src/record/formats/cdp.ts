import { DateTime, Effect, Option, Result, Schema, Stream } from "effect"
import type { Segment } from "../../../schema/transcript.ts"
import { decoder, type Fault, tolerantDecoder } from "./decode.ts"
import { encodingNote } from "./encoding.ts"
import { documentOf } from "./files.ts"
import { beginsAsJson, type Format, type Items, mentions, type SourceFile, type SourceFiles } from "./format.ts"
import { type Item, leftOutOf, rejected } from "./item.ts"
import { isMachine, isMachineFile } from "./machine.ts"
import { recordingItems } from "./recording.ts"
import type { MeetingFacts } from "./row.ts"
import { segmentOf, sentencesOf, wordOf } from "./segments.ts"
import { type LooseTranscript, usualLanguage } from "./transcripts.ts"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))

const Said = Schema.Struct({ start_time: Schema.Finite, end_time: Schema.Finite, text: Schema.String })

/** A transcript of Council Data Project, version 3 and later: a session's sentences with timed words. */
const Session = Schema.Struct({
  generator: text,
  session_datetime: text,
  sentences: Schema.Array(
    Schema.Struct({ ...Said.fields, speaker_name: text, words: Schema.optionalKey(Schema.NullOr(Schema.Array(Said))) })
  )
})
type Session = typeof Session.Type

/** The older shapes, from cdptools: four ways to write a transcript, distinguished by `format`. */
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

const decodeSession = tolerantDecoder(Session, ["session_datetime"])
const decodeOlder = decoder(Older)

const segmentsOfOlder = (older: Older): ReadonlyArray<Segment> => {
  if (older.format === "timestamped-words")
    return sentencesOf(
      older.data.map(({ start_time, end_time, text: said }) => ({ start: start_time, end: end_time, text: said }))
    )
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
  readonly leftOut: ReadonlyArray<Fault>
}

const readDocument = (document: unknown): Result.Result<Read, Fault> => {
  if (typeof document === "object" && document !== null && "format" in document) {
    return Result.map(decodeOlder(document), (older) => ({
      segments: segmentsOfOlder(older),
      generator: undefined,
      sessionDatetime: undefined,
      leftOut: []
    }))
  }
  return Result.map(decodeSession(document), ({ value: session, leftOut }) => ({
    segments: segmentsOfSession(session),
    generator: session.generator ?? undefined,
    sessionDatetime: session.session_datetime ?? undefined,
    leftOut
  }))
}

/** The facts about the meeting in a session's date, time and offset. */
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

/** The default body of a project: its council. */
const usualBody: MeetingFacts = { body: "City Council" }

/** A session's two transcripts, corrected and raw, if a folder holds exactly such a pair; other files stand alone. */
const together = (files: ReadonlyArray<SourceFile>): ReadonlyArray<SourceFiles> => {
  const named = (words: RegExp) => files.filter(({ path }) => words.test(path.split("/").at(-1) ?? ""))
  const [corrected, ...moreCorrected] = named(/ground[-_]?truth|refined/i)
  const [raw, ...moreRaw] = named(/\bgsr\b|\braw\b|\basr\b/i)
  if (corrected === undefined || raw === undefined || moreCorrected.length + moreRaw.length > 0) {
    return files.map((file) => [file])
  }
  const alone = files.filter((file) => file !== corrected && file !== raw)
  return [[corrected, raw], ...alone.map((file) => [file] as const)]
}

/** The version of a transcript that stands alone: one written by a recognizer is raw. */
const versionOf = (path: string, generator: string | undefined) =>
  isMachineFile(path.split("/").at(-1) ?? "") || isMachine(generator ?? "") ? "raw" : "refined"

/**
 * The day is the session's own where it has one; the body is the city's council unless flags or `meeting.json` say
 * more.
 */
const readSession = (files: SourceFiles): Items =>
  Stream.unwrap(
    Effect.gen(function* () {
      const [first] = files
      const transcripts: Array<LooseTranscript> = []
      const notes: Array<Item> = []
      let said: MeetingFacts = {}
      for (const { path, file } of files) {
        const origin = { file, line: 1 }
        const { value: document, encoding } = yield* documentOf(path)
        notes.push(...encodingNote(origin, encoding))
        if (Result.isFailure(document)) return Stream.make(rejected(origin, "", document.failure))
        const transcript = readDocument(document.success)
        if (Result.isFailure(transcript)) {
          return Stream.make(rejected(origin, transcript.failure.field, transcript.failure.message))
        }
        const { segments, generator, sessionDatetime, leftOut } = transcript.success
        notes.push(...leftOutOf(origin, leftOut))
        said = { ...factsOf(sessionDatetime), ...said }
        transcripts.push({
          version: files.length > 1 ? (path === first.path ? "refined" : "raw") : versionOf(path, generator),
          language: usualLanguage,
          ...(generator === undefined ? {} : { generator }),
          segments
        })
      }
      // The time of day is a title only if there is no better one.
      const { title, ...facts } = said
      const usual = { ...usualBody, ...(title === undefined ? {} : { title }) }
      const at = files.length > 1 ? first.file.slice(0, first.file.lastIndexOf("/") + 1) : first.file
      return Stream.fromIterable([...notes, ...(yield* recordingItems(first, at, transcripts, facts, usual))])
    })
  )

/** A session of Council Data Project: its transcript, with the recognizer's own beside it where there is one. */
export const cdp: Format = {
  name: "cdp",
  about: "Council Data Project transcripts",
  isRecord: (record) => "sentences" in record || ("format" in record && "data" in record),
  isHead: (head) =>
    mentions(head, "sentences") || (beginsAsJson(head) && /"format"\s*:\s*"(raw|timestamped-)/.test(head)),
  together,
  read: readSession
}

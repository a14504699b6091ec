import { Effect, type FileSystem, Path, Result } from "effect"
import type { SourceFile } from "./format.ts"
import { found, type Item, leftOutOf, type Origin, type ReadError, rejected } from "./item.ts"
import { factsOfTrail } from "./known-places.ts"
import { zoneNotes } from "./place-zone.ts"
import { agencyOf, decodeRow, type MeetingFacts, meetingOf, placeOf, sameMeeting, settle } from "./row.ts"
import { factsIn, nearer } from "./sidecar.ts"
import { type LooseTranscript, transcriptOf } from "./transcripts.ts"

/** The facts in a recording's sidecars: `<name>.meeting.json`, and `meeting.json` of its folder and those above. */
export const factsBeside = Effect.fnUntraced(function* ({ path, file, beside }: SourceFile) {
  const paths = yield* Path.Path
  const name = `${paths.basename(path).replace(/\..*$/, "")}.meeting.json`
  return nearer(beside, yield* factsIn(paths.join(paths.dirname(path), name), paths.join(paths.dirname(file), name)))
})

const needed = ["body", "place", "state", "date"] as const

/**
 * The items of a transcribed recording: its place, body, meeting and transcripts. `meeting.json` beside it has the last
 * word, then the file itself (`said`), the flags, the name of its folder, and `usual`. A recording that still lacks a
 * fact is rejected, naming the flag that gives it. A recording is identified by its meeting (body, day, title) and by
 * `at`, its path within the source: of two with one name in two folders, each is a meeting.
 */
export const recordingItems = Effect.fnUntraced(function* (
  recording: SourceFile,
  at: string,
  transcripts: ReadonlyArray<LooseTranscript>,
  said: MeetingFacts = {},
  usual: MeetingFacts = {}
): Effect.fn.Return<ReadonlyArray<Item>, ReadError, FileSystem.FileSystem | Path.Path> {
  const origin: Origin = { file: recording.file, line: 1 }
  const beside = yield* factsBeside(recording)
  if (Result.isFailure(beside)) return [beside.failure]
  const facts: MeetingFacts = {
    ...usual,
    ...factsOfTrail(recording.trail),
    ...recording.facts,
    ...said,
    ...beside.success.facts
  }
  const missing = needed.find((field) => facts[field] === undefined)
  if (missing !== undefined) {
    return [
      rejected(
        origin,
        missing,
        `is not in the file; give it with --${missing}, or as "${missing}" in meeting.json beside it`
      )
    ]
  }
  const decoded = decodeRow(facts)
  if (Result.isFailure(decoded)) return [rejected(origin, decoded.failure.field, decoded.failure.message)]
  const { value: row, leftOut } = decoded.success
  const settled = yield* settle(row, row.date ?? "")
  if (Result.isFailure(settled)) return [rejected(origin, settled.failure.field, settled.failure.message)]
  if (transcripts.every(({ segments }) => segments.length === 0)) return [rejected(origin, "", "has no words")]
  const place = placeOf(row)
  const { body, kind } = row
  const agency = agencyOf(kind === undefined ? { name: body } : { name: body, kind }, place)
  const key = ["recording", ...sameMeeting(settled.success.row, agency), at]
  const meeting = yield* meetingOf(settled.success.row, agency, key)
  return [
    ...beside.success.notes,
    ...leftOutOf(origin, leftOut),
    ...zoneNotes(origin, settled.success.note),
    found(origin, place),
    found(origin, agency),
    found(origin, meeting),
    ...transcripts.map((transcript) => found(origin, transcriptOf(meeting.id, transcript)))
  ]
})

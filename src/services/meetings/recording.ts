import { Effect } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import type { Span } from "../../../schema/briefing.ts"
import { type MeetingId, roundSeconds } from "../../../schema/primitives.ts"
import type { Segment } from "../../../schema/transcript.ts"
import { segmentsFrom } from "./packed-segments.ts"
import { isShown } from "./part-sql.ts"
import { durationOf } from "./sql.ts"

/** The words spoken in a span of a recording, from the refined transcript, or from the raw one if there is no other. */
interface Spoken {
  readonly language: string
  /** The segments that overlap the span, uncut. */
  readonly segments: ReadonlyArray<Segment>
}

/** Undefined if the meeting has no transcript. */
export const spokenIn = Effect.fn("Transcripts.spokenIn")(function* (
  db: ReadSql,
  meetingId: MeetingId,
  { start, end }: Span
) {
  const [row] = yield* db<{ language: string; segments: Uint8Array }>`
    select language, segments from published_transcript
    where meeting_id = ${meetingId} order by version = 'refined' desc limit 1`
  if (row === undefined) return undefined
  const segments = yield* segmentsFrom(row.segments)
  return {
    language: row.language,
    segments: segments.filter((segment) => segment.end > start && segment.start < end)
  } satisfies Spoken
})

/** The length of a meeting's web rendition in seconds; 0 if it has none. */
export const recordingLength = Effect.fnUntraced(function* (db: ReadSql, meetingId: MeetingId) {
  const [rendition] = yield* db<{ duration: number }>`
    select coalesce(${durationOf(db)}, 0) as duration
    from meeting m where m.id = ${meetingId} and ${isShown(db, "video")}`
  return roundSeconds(rendition?.duration ?? 0)
})

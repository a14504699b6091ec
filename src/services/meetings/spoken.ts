import { Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"
import type { Span } from "../../../schema/briefing.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { Segment } from "../../../schema/transcript.ts"

/** What is said in a stretch of a recording, as the refined transcript has it, or the raw one where it is all there is. */
interface Spoken {
  readonly language: string
  /** Every segment that overlaps the stretch, in full. */
  readonly segments: ReadonlyArray<Segment>
}

/** Undefined if the meeting has no transcript. */
export const spokenIn = Effect.fn("Transcripts.spokenIn")(function* (
  db: Sql,
  meetingId: MeetingId,
  { start, end }: Span
) {
  const [spoken] = yield* db<Spoken>`
    select language, coalesce((
      select json_agg(said.segment order by said.position)
      from json_array_elements(segments) with ordinality said (segment, position)
      where (said.segment ->> 'end')::float8 > ${start}::float8
        and (said.segment ->> 'start')::float8 < ${end}::float8), '[]') as segments
    from published_transcript where meeting_id = ${meetingId} order by version = 'refined' desc limit 1`
  return spoken
})

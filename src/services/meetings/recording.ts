import { Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"
import { type MeetingId, roundSeconds } from "../../../schema/primitives.ts"

/** How long a meeting's web rendition is, in seconds; 0 if it has none. */
export const recordingLength = Effect.fnUntraced(function* (db: Sql, meetingId: MeetingId) {
  const [rendition] = yield* db<{ duration: number }>`
    select coalesce(d.duration, m.duration, 0)::float8 as duration
    from media d join meeting m on m.id = d.meeting_id where d.meeting_id = ${meetingId} and d.role = 'rendition'`
  return roundSeconds(rendition?.duration ?? 0)
})

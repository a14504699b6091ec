import { Effect } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import { type MeetingId, roundSeconds } from "../../../schema/primitives.ts"
import { isShown } from "./part-sql.ts"
import { durationOf } from "./sql.ts"

/** How long a meeting's web rendition is, in seconds; 0 if it has none. */
export const recordingLength = Effect.fnUntraced(function* (db: ReadSql, meetingId: MeetingId) {
  const [rendition] = yield* db<{ duration: number }>`
    select coalesce(${durationOf(db)}, 0) as duration
    from meeting m where m.id = ${meetingId} and ${isShown(db, "video")}`
  return roundSeconds(rendition?.duration ?? 0)
})

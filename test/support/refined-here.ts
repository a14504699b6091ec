import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import type { Segment } from "../../schema/transcript.ts"
import { replaceRemovals } from "../../src/services/making/removal-rows.ts"
import { judged } from "../../src/text/redact/judged.ts"
import { applied, removalsIn } from "../../src/text/redact/redact.ts"
import { meetingId, putOnRecord, transcript } from "./builders.ts"

/** Puts a transcript on record as the stage `refine` leaves it without a model, with what it took out. */
export const refinedHere = Effect.fnUntraced(function* (meeting: string, segments: ReadonlyArray<Segment>) {
  const db = yield* Db
  const id = meetingId(meeting)
  const removals = judged(segments, removalsIn(segments, new Set()), [])
  yield* putOnRecord(transcript(meeting, applied(segments, removals)))
  yield* db`
    insert into made_part (meeting_id, part, generator, mark)
    select meeting_id, 'transcript', 'rules', coalesce(generator, '-') from transcript
    where meeting_id = ${id} and version = 'refined'`
  yield* db.withTransaction(replaceRemovals(db, id, removals, []))
  const rows = yield* db<{ id: string }>`select id from removal where meeting_id = ${id} order by start`
  return rows.map((row) => row.id)
})

import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { addFlows } from "../queue/add-flows.ts"

/**
 * Queues a new refinement, in the transaction that imports these meetings' raw transcripts, wherever a stage made the
 * refined transcript from an earlier raw one. Until then the new raw transcript is withheld.
 */
export const refineAgain = Effect.fnUntraced(function* (db: Sql, meetings: ReadonlyArray<MeetingId>) {
  if (meetings.length === 0) return
  const stale = yield* db<{ meeting_id: MeetingId }>`
    select refined.meeting_id
    from transcript refined
    join made_part made on made.meeting_id = refined.meeting_id and made.part = 'transcript'
      and made.mark = coalesce(refined.generator, '-')
    where refined.meeting_id = any(${meetings}::uuid[]) and refined.version = 'refined'
      and exists (select from transcript raw where raw.meeting_id = refined.meeting_id and raw.version = 'raw')`
  yield* addFlows(db, "meeting", stale, "refine")
})

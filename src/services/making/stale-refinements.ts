import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { addFlows } from "../queue/add-flows.ts"

/**
 * The raw transcripts of these meetings were imported, with the transaction that writes them. Where the refined one was
 * made here of an earlier raw one, the new one is to be refined in its turn; until then, whoever wrote it withholds it.
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

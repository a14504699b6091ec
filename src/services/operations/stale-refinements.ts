import { Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { addFlows } from "./add-flows.ts"

/**
 * The raw transcripts of these meetings were imported, with the transaction that writes them. Where the refined one was made
 * here of an earlier raw one, nobody sees the new one before it is refined in its turn: it may have home addresses in it.
 */
export const refineAgain = Effect.fnUntraced(function* (db: Sql, meetings: ReadonlyArray<MeetingId>) {
  if (meetings.length === 0) return
  const stale = yield* db<{ meeting_id: MeetingId }>`
    update transcript raw set withheld = true
    from transcript refined, made_part made
    where raw.meeting_id = any(${meetings}::uuid[]) and raw.version = 'raw'
      and refined.meeting_id = raw.meeting_id and refined.version = 'refined'
      and made.meeting_id = raw.meeting_id and made.part = 'refined' and made.mark = coalesce(refined.generator, '-')
    returning raw.meeting_id`
  yield* addFlows(db, "meeting", stale, "refine")
})

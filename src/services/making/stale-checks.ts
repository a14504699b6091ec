import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { addFlows } from "../queue/add-flows.ts"

/** The most checks that wait at a time because of this. They share the day's budget with new meetings. */
const mostWaiting = 20

/**
 * Queues a new check of briefings that were checked here without a checker and have claims that nobody could check, for
 * a deployment that has a checker now. The newest meetings come first. A meeting whose last flow failed or was
 * cancelled has a day's rest, so that what cannot be checked is not tried all the time. Returns how many it queued.
 */
export const checkAgain = Effect.fn("Claims.checkAgain")(function* (db: Sql) {
  // `checked_by` names the rules and, if there was a checker, its prompt, after which no claim is left unchecked.
  const stale = yield* db<{ meeting_id: MeetingId }>`
    select claims.meeting_id from claims join meeting on meeting.id = claims.meeting_id
    where claims.checked_by not like '% %'
      and exists (select from claim where claim.meeting_id = claims.meeting_id and claim.verdict = 'unchecked')
      and not exists (
        select from flow where flow.subject = claims.meeting_id and flow.kind = 'meeting' and (flow.state = 'open'
          or (flow.state <> 'done' and flow.ended_at > clock_timestamp() - interval '1 day')))
    order by meeting.date desc, meeting.id
    limit greatest(0, ${mostWaiting} - (
      select count(*) from task where stage = 'verify' and state in ('waiting', 'running')))`
  return (yield* addFlows(db, "meeting", stale, "verify")).length
})

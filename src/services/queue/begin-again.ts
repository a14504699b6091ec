import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { fromStageOn, type Stage } from "./stages.ts"
import { recordTaskEvents } from "./task-events.ts"

/**
 * Has every stage after this one that is working on a meeting begin again, in the transaction that changes what it
 * read: its worker loses the claim, and its finished pieces go. The attempt is not counted. It locks as a worker that
 * settles a task does, so the caller locks the meeting's row only afterward.
 */
export const beginAgain = Effect.fnUntraced(function* (db: Sql, meeting: MeetingId, after: Stage) {
  const stages = [...fromStageOn(after)].filter((stage) => stage !== after)
  yield* db`select from meeting where id = ${meeting} for key share`
  yield* db`
    select from flow where kind = 'meeting' and meeting_id = ${meeting} and state = 'open' for no key update`
  const ours = db`(
    select t.id from task t join flow f on f.id = t.flow_id
    where f.kind = 'meeting' and f.meeting_id = ${meeting} and f.state = 'open' and t.stage = any(${stages}::text[]))`
  const stopped = yield* db<{ id: string }>`
    update task set state = 'waiting', held_by = null, claim = null, progress = 0, attempts = attempts - 1
    where state = 'running' and id in ${ours} returning id`
  yield* db`delete from stage_piece where task_id in ${ours}`
  yield* recordTaskEvents(db, "rerun", stopped, { detail: "the transcript changed meanwhile" })
  if (stopped.length > 0) yield* db`notify task, 'lost'`
})

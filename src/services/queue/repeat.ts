import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { addFlows, addStages } from "./add-flows.ts"
import type { Flows } from "./flows.ts"
import type { Stage } from "./stages.ts"

/**
 * Repeats a stage of a meeting, whose row the caller's transaction holds, with everything after it, adding a flow or
 * stages that are missing. A stage that is pending or running is left alone; returns whether it was not.
 */
export const repeatStage = Effect.fnUntraced(function* (
  db: Sql,
  flows: Flows["Service"],
  meeting: MeetingId,
  stage: Stage
) {
  const [flow] = yield* db<{ id: string; pending: boolean }>`
    select f.id, f.state = 'open' and exists (
      select from task t where t.flow_id = f.id and t.stage = ${stage} and t.state in ('blocked', 'waiting', 'running')
    ) as pending
    from flow f where f.meeting_id = ${meeting} and f.kind = 'meeting'
    order by (f.state = 'open') desc, f.created_at desc limit 1 for no key update`
  if (flow?.pending === true) return false
  if (flow === undefined) yield* addFlows(db, "meeting", [{ meeting_id: meeting }], stage)
  else {
    yield* addStages(db, flow.id, "meeting", stage)
    yield* Effect.catchTags(flows.rerun(flow.id, stage), { UnknownFlow: Effect.die, NewerFlow: Effect.die })
  }
  return true
})

import { Effect } from "effect"
import type { Sql } from "../../../../layers/db/db.ts"
import { MeetingId } from "../../../../schema/primitives.ts"
import { BodyUnsettled, discoveredNotFound, meetingOfRunNotFound, stageNotFound } from "../../failures.ts"
import { meetingsChanged } from "../../feed/changed.ts"
import { idOf } from "../../meetings/sql.ts"
import { addFlows, addStages } from "../../queue/add-flows.ts"
import type { Flows } from "../../queue/flows.ts"
import { flowKinds, isStage, type Stage, stageNames } from "../../queue/stages.ts"
import { recordDiscovered } from "../../sources/discovered-meetings.ts"
import { bodiesInReach, type Run } from "./authority.ts"
import type { Done } from "./run.ts"

/** The task of a meeting's newest flow that is next: the first that is not over, in the order of the stages. */
const nextTask = Effect.fnUntraced(function* (db: Sql, meeting: MeetingId, stage?: Stage) {
  const [task] = yield* db<{ id: string }>`
    select t.id from task t
    where t.flow_id = (
        select id from flow where meeting_id = ${meeting} and kind = 'meeting'
        order by (state = 'open') desc, created_at desc limit 1)
      and ${stage === undefined ? db`true` : db`t.stage = ${stage}`}
    order by t.state in ('done', 'cancelled'), array_position(${stageNames}::text[], t.stage) limit 1`
  return task?.id
})

const surely = (task: string | undefined) =>
  task === undefined ? Effect.die(new Error("A flow was added without a task.")) : Effect.succeed(task)

interface DiscoveredRow {
  readonly id: MeetingId
  readonly source_id: string
  readonly source_body: string
  readonly body_id: number | null
  readonly status: "upcoming" | "held" | "cancelled"
}

/** Puts what a source showed on record as a meeting, under the id that it was discovered with, and adds its flow. */
export const importDiscovered = Effect.fnUntraced(function* (db: Sql, ref: string) {
  const [found] = yield* db<DiscoveredRow>`
    select d.id, d.source_id, d.source_body, sb.body_id, d.status from discovered d
    join source_body sb on sb.source_id = d.source_id and sb.source_body = d.source_body
    where d.id = ${idOf(ref)} for update of d`
  if (found === undefined) return yield* discoveredNotFound(ref)
  if (found.body_id === null) {
    return yield* new BodyUnsettled({ source: found.source_id, sourceBody: found.source_body })
  }
  const id = MeetingId.make(found.id)
  const changed = (yield* recordDiscovered(db, [id])).length > 0
  if ((yield* nextTask(db, id)) === undefined) yield* addFlows(db, "meeting", [{ meeting_id: id }])
  const task = yield* surely(yield* nextTask(db, id))
  const announced = new Set([id])
  if (changed) {
    yield* meetingsChanged(
      db,
      [id],
      found.status === "cancelled" ? { unannounced: announced } : { published: announced }
    )
  }
  return { changed, task } satisfies Done
})

/** Locks a meeting. */
const lockedMeeting = Effect.fnUntraced(function* (db: Sql, ref: string) {
  const [row] = yield* db<{ id: MeetingId; body_id: number }>`
    select id, body_id from meeting where id = ${idOf(ref)} for no key update`
  return row === undefined ? yield* meetingOfRunNotFound(ref) : row
})

/**
 * Does a stage of a locked meeting again with everything after it. A meeting whose flow lacks the stage, or that has no
 * flow, gets one with the stage and what comes after it. A stage that is still to be done, or being done, is left
 * alone.
 */
const again = Effect.fnUntraced(function* (db: Sql, flows: Flows["Service"], meeting: MeetingId, stage: Stage) {
  const [flow] = yield* db<{ id: string; pending: boolean }>`
    select f.id, f.state = 'open' and exists (
      select from task t where t.flow_id = f.id and t.stage = ${stage} and t.state in ('blocked', 'waiting', 'running')
    ) as pending
    from flow f where f.meeting_id = ${meeting} and f.kind = 'meeting'
    order by (f.state = 'open') desc, f.created_at desc limit 1 for no key update`
  const changed = flow?.pending !== true
  if (flow === undefined) yield* addFlows(db, "meeting", [{ meeting_id: meeting }], stage)
  else if (changed) {
    yield* addStages(db, flow.id, "meeting", stage)
    yield* Effect.catchTags(flows.rerun(flow.id, stage), { UnknownFlow: Effect.die, NewerFlow: Effect.die })
  }
  return { changed, task: yield* surely(yield* nextTask(db, meeting, stage)) } satisfies Done
})

export const rerunStage = Effect.fnUntraced(function* (
  db: Sql,
  flows: Flows["Service"],
  { meeting, stage }: { readonly meeting: string; readonly stage: string }
) {
  const ofMeeting: ReadonlyArray<Stage> = flowKinds.meeting.stages
  const { id } = yield* lockedMeeting(db, meeting)
  if (!isStage(stage) || !ofMeeting.includes(stage)) return yield* stageNotFound(stage)
  return yield* again(db, flows, id, stage)
})

/**
 * Moves a meeting to another body of the place. Its addresses begin with its short id, so the old ones still lead to
 * it. It is published again, because what is published names the body.
 */
export const reassign = Effect.fnUntraced(function* (
  db: Sql,
  flows: Flows["Service"],
  run: Run,
  { meeting, agency }: { readonly meeting: string; readonly agency: string }
) {
  const { id, body_id } = yield* lockedMeeting(db, meeting)
  const [body] = yield* bodiesInReach(db, run, [agency], () => "agency_slug")
  if (body === undefined) return yield* Effect.die(new Error("A body in reach was not returned."))
  if (body.id === body_id) {
    const task = yield* nextTask(db, id, "publish")
    return task === undefined ? yield* again(db, flows, id, "publish") : { changed: false, task }
  }
  yield* db`update meeting set body_id = ${body.id} where id = ${id}`
  // Before the change is told: whoever holds the flow may be waiting to tell another.
  const { task } = yield* again(db, flows, id, "publish")
  yield* meetingsChanged(db, [id])
  return { changed: true, task, detail: { from: body_id, to: body.id } } satisfies Done
})

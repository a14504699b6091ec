import { Effect } from "effect"
import type { Sql } from "../../../../layers/db/db.ts"
import { MeetingId } from "../../../../schema/primitives.ts"
import { BodyUnsettled, discoveredNotFound, meetingOfRunNotFound, stageNotFound } from "../../failures.ts"
import { meetingsChanged } from "../../feed/changed.ts"
import { keepMove } from "../../meetings/kept-moves.ts"
import { idOf } from "../../meetings/sql.ts"
import { addFlows } from "../../queue/add-flows.ts"
import type { Flows } from "../../queue/flows.ts"
import { repeatStage } from "../../queue/repeat.ts"
import { flowKinds, isStage, type Stage, stageNames } from "../../queue/stages.ts"
import { recordDiscovered } from "../../sources/discovered-meetings.ts"
import { bodiesInReach, type Run } from "./authority.ts"
import type { Done } from "./run.ts"

/** The next task of a meeting's newest flow: the first unfinished one, in the order of stages. */
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

/** Puts a discovered meeting on record, keeping its id, and adds its flow. */
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
  if (changed) yield* meetingsChanged(db, [id], { published: new Set([id]) })
  return { changed, task } satisfies Done
})

const lockedMeeting = Effect.fnUntraced(function* (db: Sql, ref: string) {
  const [row] = yield* db<{ id: MeetingId; body_id: number }>`
    select id, body_id from meeting where id = ${idOf(ref)} for no key update`
  return row === undefined ? yield* meetingOfRunNotFound(ref) : row
})

/** Repeats a stage of a locked meeting, and returns its task. */
const again = Effect.fnUntraced(function* (db: Sql, flows: Flows["Service"], meeting: MeetingId, stage: Stage) {
  const changed = yield* repeatStage(db, flows, meeting, stage)
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
 * Moves a meeting to another body of the place. Old addresses still lead to it, because they begin with its short id.
 * It is published again, because the published meeting names its body.
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
  yield* keepMove(db, { meetings: [{ id, from: body_id, into: body.id }] })
  yield* db`update meeting set body_id = ${body.id} where id = ${id}`
  // The flow is locked before the change is announced: its holder may be waiting to announce a change too.
  const { task } = yield* again(db, flows, id, "publish")
  yield* meetingsChanged(db, [id])
  return { changed: true, task, detail: { from: body_id, to: body.id } } satisfies Done
})

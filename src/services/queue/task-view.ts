import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Sql } from "../../../layers/db/db.ts"
import type { AgentTask } from "../../../schema/agent/task.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { sent } from "../wire.ts"

interface TaskRow {
  readonly id: string
  readonly flow_id: string
  readonly flow_kind: string
  readonly stage: string
  readonly lane: string
  readonly state: AgentTask["state"]
  readonly attempts: number
  readonly progress: number
  readonly due_at: Date
  readonly started_at: Date | null
  readonly ended_at: Date | null
  readonly failure: string | null
  readonly reason: string | null
  readonly worker_id: string | null
  readonly meeting_id: MeetingId | null
  readonly source_id: string | null
  readonly run_id: string | null
  readonly about: string | null
}

/**
 * The tasks `t` of flows `f` that match a condition, in the given order. A task that is done without its model says so.
 * A due task that cannot run says why: its lane is paused, or no live worker has a build that knows its stage.
 */
export const tasksWhere = (
  db: Sql,
  condition: Statement.Fragment,
  { order, limit, offset = 0 }: { readonly order: Statement.Fragment; readonly limit: number; readonly offset?: number }
) =>
  Effect.map(
    db<TaskRow>`
      select t.id, t.flow_id, f.kind as flow_kind, t.stage, t.lane, t.state, 
        t.attempts + t.model_away + t.model_unusable as attempts, t.progress::float8 as progress,
        t.due_at, t.started_at, t.ended_at, t.failure,
        case when t.state = 'done' then t.without_model
          when t.state <> 'waiting' or t.due_at > clock_timestamp() then null
          when exists (select from lane l where l.name = t.lane and l.at_once = 0)
            then 'The lane ' || t.lane || ' is paused.'
          when not exists (select from worker w where w.ended_at is null and t.stage = any(w.stages))
            then 'No running worker does the stage ' || t.stage || '.'
        end as reason,
        t.held_by as worker_id, coalesce(f.meeting_id, u.meeting_id, c.meeting_id) as meeting_id, f.source_id, f.run_id,
        coalesce(
          (select concat_ws(', ', m.title, b.name, m.date) from meeting m join body b on b.id = m.body_id
            where m.id = coalesce(f.meeting_id, u.meeting_id, c.meeting_id)),
          (select p.name || ', ' || coalesce(substring(s.url from '^https?://([^?#]+)'), s.url)
            from source s join place p on p.id = s.place_id where s.id = f.source_id),
          (select p.name from completion_run r join place p on p.id = r.place_id where r.id = f.run_id)) as about
      from task t join flow f on f.id = t.flow_id
      left join user_clip u on u.id = f.user_clip_id left join clip c on c.id = f.clip_id
      where ${condition} order by ${order} limit ${limit} offset ${offset}`,
    (rows) => rows.map(sent)
  )

/** The task with this id, if there is one. */
export const taskWithId = (db: Sql, id: string | null) =>
  Effect.map(tasksWhere(db, db`t.id = ${id}`, { order: db`t.id`, limit: 1 }), ([task]) => task)

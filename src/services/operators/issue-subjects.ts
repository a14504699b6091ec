import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { AgentIssue } from "../../../schema/agent/issue.ts"
import { nameAfterBody } from "../../text/meeting-name.ts"

/** What is known of the subject of an issue. */
interface SubjectRow {
  readonly type: string
  readonly id: string
  readonly name: string | null
  /** The meeting that the subject is, or belongs to. */
  readonly meeting: { readonly title: string; readonly date: string; readonly body: { readonly name: string } } | null
  /** The stage, where the subject is a task. */
  readonly stage: string | null
  readonly cause: string | null
  /** The task that is done again to mend it. */
  readonly task: string | null
}

/** The stage that mends an issue about a meeting, by the issue's kind. */
const mendedBy: Readonly<Record<string, string>> = { briefing_pending: "verify", recording_left_out: "fetch" }

const nameOf = ({ name, meeting, stage }: SubjectRow): string =>
  [stage, meeting === null ? name : `${nameAfterBody(meeting)}, ${meeting.date}`]
    .filter((part) => part !== null)
    .join(" of ")

/** Issues with the names of their subjects, their causes, and the tasks to do again, as far as there are any. */
export const withSubjects = Effect.fnUntraced(function* (
  db: Sql,
  issues: ReadonlyArray<AgentIssue>,
  pendingCause: string
) {
  const wanted = JSON.stringify(
    issues.map(({ kind, subject: { type, id } }) => ({ type, id, stage: mendedBy[kind] ?? null }))
  )
  const rows = yield* db<SubjectRow>`
    with wanted as (select distinct * from json_to_recordset(${wanted}::json) as wanted (type text, id text, stage text)),
    meetings as (
      select m.id, json_build_object('title', m.title, 'date', m.date, 'body', json_build_object('name', b.name)) as named
      from meeting m join body b on b.id = m.body_id),
    sources as (
      select s.id, p.name || ', ' || coalesce(substring(s.url from '^https?://([^?#]+)'), s.url) as name, s.failure
      from source s join place p on p.id = s.place_id)
    select w.type, w.id, coalesce(s.name, f.kind) as name, m.named as meeting, t.stage, t.failure as cause, t.id::text as task
    from wanted w join task t on w.type = 'task' and t.id::text = w.id join flow f on f.id = t.flow_id
    left join user_clip u on u.id = f.user_clip_id left join clip c on c.id = f.clip_id
    left join meetings m on m.id = coalesce(f.meeting_id, u.meeting_id, c.meeting_id)
    left join sources s on s.id = f.source_id
    union all
    select w.type, w.id, s.name, null, null, s.failure, null
    from wanted w join sources s on w.type = 'source' and s.id::text = w.id
    union all
    select w.type, w.id, null, m.named, null, coalesce(t.failure, t.without_model),
      case when t.state in ('done', 'failed', 'cancelled')
      then t.id::text end
    from wanted w join meetings m on w.type = 'meeting' and m.id::text = w.id
    left join lateral (
      select t.* from flow f join task t on t.flow_id = f.id where f.meeting_id = m.id and t.stage = w.stage
      order by f.created_at desc limit 1) t on true
    union all
    select w.type, w.id, k.host || ', process ' || k.pid, null, null, null, null
    from wanted w join worker k on w.type = 'worker' and k.id::text = w.id
    union all
    select w.type, w.id, p.name, null, null, null, null
    from wanted w join completion_run r on w.type = 'completion_run' and r.id::text = w.id
    join place p on p.id = r.place_id`
  const known = new Map(rows.map((row) => [`${row.type} ${row.id}`, row]))
  return issues.map((issue): AgentIssue => {
    const { type, id } = issue.subject
    const row = known.get(`${type} ${id}`)
    const { cause, task } = row ?? { cause: null, task: null }
    // What waits for an operator does so whether or not its source answers.
    const isWaiting = issue.kind === "source_body_unmapped" || issue.kind === "recording_unpaired"
    const why = (isWaiting ? null : cause) ?? (issue.kind === "briefing_pending" ? pendingCause : null)
    return {
      ...issue,
      subject: row === undefined ? issue.subject : { type, id, name: nameOf(row) },
      ...(why === null ? {} : { cause: why }),
      ...(task === null ? {} : { task_id: task })
    }
  })
})

import { Context, Effect, Layer } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AgentMeeting } from "../../../schema/agent/meeting.ts"
import { type MeetingGap, partNames } from "../../../schema/part.ts"
import { meetingNotFound, type NotFound, type Removed } from "../failures.ts"
import { usageSums } from "../making/costs.ts"
import { gapsOf } from "../making/meeting-gaps.ts"
import { cardsOf } from "../meetings/cards.ts"
import { Meetings } from "../meetings/meetings.ts"
import { partSql } from "../meetings/part-sql.ts"
import type { TaskEvent } from "../queue/task-events.ts"
import { tasksWhere } from "../queue/task-view.ts"
import { sent } from "../wire.ts"

interface FlowRow {
  readonly id: string
  readonly kind: string
  readonly state: AgentMeeting["flows"][number]["state"]
  readonly created_at: Date
  readonly ended_at: Date | null
}

interface PartRow {
  readonly part: string
  readonly version: string | null
  readonly generator: string | null
  readonly state: string | null
  readonly count: number
}

interface MediaRow {
  readonly key: string
  readonly role: string
  readonly media_type: string
  readonly bytes: number
  readonly width: number | null
  readonly height: number | null
  readonly duration: number | null
}

interface VersionRow {
  readonly part: AgentMeeting["versions"][number]["part"]
  readonly address: string
  readonly bytes: number
  readonly digest: string
  readonly fetched_at: Date
  readonly replaced_at: Date
  readonly key: string | null
  readonly changes: NonNullable<AgentMeeting["versions"][number]["changes"]> | null
}

interface SourceRow {
  readonly id: string
  readonly source_body: string
  readonly external_id: string
  readonly date: string
  readonly seen_at: Date
}

/** A meeting with everything that the pipeline did for it. */
export class MeetingView extends Context.Service<
  MeetingView,
  { readonly meeting: (id: string) => Effect.Effect<AgentMeeting, NotFound | Removed> }
>()("civic-record/MeetingView") {
  static readonly layer = Layer.effect(
    MeetingView,
    Effect.gen(function* () {
      const db = yield* Db
      const { baseUrl } = yield* Environment
      const { resolve } = yield* Meetings

      const flowsOf = Effect.fnUntraced(function* (id: string) {
        const flows = yield* db<FlowRow>`
          select f.id, f.kind, f.state, f.created_at, f.ended_at from flow f
          left join user_clip u on u.id = f.user_clip_id left join clip c on c.id = f.clip_id
          where coalesce(f.meeting_id, u.meeting_id, c.meeting_id) = ${id}
            -- Its source is asked every day: only the last time is of interest.
            and (f.kind not in ('follow', 'documents') or not exists (
              select from flow newer where newer.kind = f.kind and newer.meeting_id = f.meeting_id
                and newer.created_at > f.created_at))
          order by f.created_at desc, f.id limit 20`
        const ids = flows.map((flow) => flow.id)
        const tasks = yield* tasksWhere(db, db`t.flow_id = any(${ids}::uuid[])`, {
          order: db`t.flow_id, t.started_at nulls last, t.id`,
          limit: 500
        })
        const events = yield* db<TaskEvent & { task_id: string }>`
          select e.id::float8 as id, e.task_id, e.at, e.kind, e.worker_id, e.detail
          from task t cross join lateral (
            select * from task_event where task_id = t.id order by task_event.id desc limit 50) e
          where t.flow_id = any(${ids}::uuid[]) order by e.id`
        const eventsOf = Map.groupBy(events, (event) => event.task_id)
        return flows.map((flow) => ({
          ...sent(flow),
          tasks: tasks
            .filter((task) => task.flow_id === flow.id)
            .map((task) => ({
              task,
              events: (eventsOf.get(task.id) ?? []).map(({ task_id, ...event }) => sent(event))
            }))
        }))
      })

      const meeting = Effect.fn("MeetingView.meeting")(function* (ref: string) {
        const id = yield* resolve(ref)
        const [card] = yield* cardsOf(db, [id], baseUrl)
        if (card === undefined) return yield* meetingNotFound(ref)
        const [missing] = yield* db<{ gaps: ReadonlyArray<MeetingGap> }>`
          select ${gapsOf(db)} as gaps from meeting m where m.id = ${id}`
        const written = partNames.flatMap((part) => {
          const rows = partSql[part].rows?.(db, db`${card.id}`)
          return rows === undefined ? [] : [db`select ${part}::text, made.* from (${rows}) made`]
        })
        const parts = yield* db<PartRow>`
          select * from (${db.join(" union all ", false)(written)}) parts (part, version, generator, state, count)
          order by part, version, state`
        const media = yield* db<MediaRow>`
          select key, role, media_type, bytes::float8 as bytes, width, height, duration::float8 as duration
          from media where meeting_id = ${id} order by role, key`
        const versions = yield* db<VersionRow>`
          select part, address, bytes::float8 as bytes, digest, fetched_at, replaced_at, key, changes from part_version
          where meeting_id = ${id} order by replaced_at desc, part limit 50`
        const [source] = yield* db<SourceRow>`
          select source_id as id, source_body, external_id, date::text as date, seen_at from discovered
          where id = ${id} or same_meeting = ${id} order by same_meeting is null limit 1`
        const [costs] = yield* db<AgentMeeting["costs"]>`
          select ${usageSums(db)} from model_usage m where m.meeting_id = ${id}`
        return {
          meeting: card,
          gaps: missing?.gaps ?? [],
          flows: yield* flowsOf(card.id),
          parts: parts.map(sent),
          media: media.map(sent),
          versions: versions.map(sent),
          ...(source === undefined ? {} : { source: sent(source) }),
          costs: costs ?? { calls: 0, input_tokens: 0, output_tokens: 0, cost_micros: 0, unpriced_calls: 0 }
        }
      }, dbDies)

      return { meeting }
    })
  )
}

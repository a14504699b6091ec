import { Effect } from "effect"
import type { Sql } from "../../../../layers/db/db.ts"
import type { BodyKind } from "../../../../schema/agency.ts"
import type { CompletionRun } from "../../../../schema/agent/completion.ts"
import { meetingGaps } from "../../../../schema/part.ts"
import type { MeetingId } from "../../../../schema/primitives.ts"
import { completionRunNotFound } from "../../failures.ts"
import { lacks, stageOfGap } from "../../making/meeting-gaps.ts"
import { type BodyRow, bodyRef, type PlaceRow, placeRef } from "../../meetings/refs.ts"
import { idOf, placesOf } from "../../meetings/sql.ts"
import { tasksWhere } from "../../queue/task-view.ts"
import type { FoundCalendar } from "../../sources/candidates.ts"
import { sourcesWhere } from "../../sources/sources.ts"
import { sent } from "../../wire.ts"
import { meetingOfPlace } from "./authority.ts"

interface RunRow extends PlaceRow {
  readonly id: string
  readonly place_number: number
  readonly place_id: string
  readonly started_by: string
  readonly created_at: Date
  readonly ended_at: Date | null
}

interface DiscoveredRow {
  readonly id: string
  readonly source_id: string
  readonly source_body: string
  readonly title: string
  readonly date: string
  readonly status: "upcoming" | "held" | "cancelled"
  readonly source_url: string | null
  readonly body_id: number | null
  readonly same_as: number | null
  readonly total: number
}

interface CandidateRow {
  readonly id: string
  readonly name: string
  readonly kind: BodyKind
  readonly url: string
  readonly filed_by: string
  readonly created_at: Date
  readonly probed_at: Date | null
  readonly calendar: FoundCalendar | null
  readonly failure: string | null
  readonly source_id: string | null
}

interface ActionRow {
  readonly id: number
  readonly at: Date
  readonly machine: string
  readonly operation: string
  readonly subject: string
  readonly changed: boolean
  readonly task_id: string | null
}

/** References to bodies, by id. */
const bodyRefs = Effect.fnUntraced(function* (db: Sql, ids: ReadonlyArray<number>) {
  const rows = yield* db<BodyRow & { id: number; places: ReadonlyArray<PlaceRow> }>`
    select b.id, b.slug, b.segment, b.name, b.kind, ${placesOf(db)} as places
    from body b where b.id = any(${ids}::int[])`
  return new Map(rows.map((row) => [row.id, bodyRef(row, row.places[0]?.slug)]))
})

const discoveredOf = Effect.fnUntraced(function* (db: Sql, placeId: number) {
  const rows = yield* db<DiscoveredRow>`
    select d.id, d.source_id, d.source_body, d.title, d.date::text as date, d.status, d.source_url, sb.body_id,
      d.same_as,
      (count(*) over ())::int as total
    from discovered d join source s on s.id = d.source_id
    join source_body sb on sb.source_id = d.source_id and sb.source_body = d.source_body
    where s.place_id = ${placeId} and d.imported_at is null order by d.date desc, d.id limit 200`
  const refs = yield* bodyRefs(
    db,
    rows.flatMap(({ body_id, same_as }) => [body_id, same_as].filter((id) => id !== null))
  )
  const refOf = (id: number | null) => (id === null ? undefined : refs.get(id))
  return {
    total: rows[0]?.total ?? 0,
    discovered: rows.map(({ body_id, same_as, total, ...row }) => {
      const [agency, same] = [refOf(body_id), refOf(same_as)]
      return {
        ...sent(row),
        ...(agency === undefined ? {} : { agency }),
        ...(same === undefined ? {} : { same_as: same })
      }
    })
  }
})

/** A run with everything that its place still lacks. */
export const showRun = Effect.fnUntraced(function* (db: Sql, ref: string) {
  const [row] = yield* db<RunRow>`
    select r.id, r.started_by, r.created_at, r.ended_at, p.id as place_number, p.uuid as place_id,
      p.slug, p.name, p.kind, p.state, p.county
    from completion_run r join place p on p.id = r.place_id where r.id = ${idOf(ref)}`
  if (row === undefined) return yield* completionRunNotFound(ref)
  const { id, place_number: placeId, place_id, started_by, created_at, ended_at } = row
  const run = { id, placeId, placeUuid: place_id }
  const { total, discovered } = yield* discoveredOf(db, placeId)
  const gaps = yield* Effect.forEach(meetingGaps, (gap) =>
    Effect.map(
      db<{ meetings: number; newest: ReadonlyArray<MeetingId> }>`
        with missing as (select m.id, m.date from meeting m where ${meetingOfPlace(db, run)} and ${lacks(db, gap)})
        select count(*)::int as meetings, coalesce((select json_agg(id) from (
          select id from missing order by date desc, id limit 50) shown), '[]') as newest
        from missing`,
      ([counted]) => ({ gap, stage: stageOfGap(gap), ...(counted ?? { meetings: 0, newest: [] }) })
    )
  )
  const candidates = yield* db<CandidateRow>`
    select c.id, c.name, c.kind, c.url, c.filed_by, c.created_at, c.probed_at, c.failure, s.id as source_id,
      case when c.calendar is not null then
        json_build_object('kind', c.calendar, 'bodies', c.bodies, 'meetings', c.meetings) end as calendar
    from candidate c left join source s on s.kind = c.calendar and s.url = c.url
    where c.place_id = ${placeId} order by c.created_at desc, c.id limit 200`
  const actions = yield* db<ActionRow>`
    select id::float8 as id, at, operator as machine, substr(action, length('run.') + 1) as operation, subject,
      (detail ->> 'changed')::boolean as changed, task_id
    from operator_action where run_id = ${id} order by operator_action.id desc limit 200`
  return {
    ...sent({ id, started_by, created_at, ended_at }),
    place: placeRef(row),
    place_id,
    sources: yield* sourcesWhere(db, db`s.place_id = ${placeId}`, { order: db`s.url`, limit: 200 }),
    candidates: candidates.map(sent),
    discovered_total: total,
    discovered,
    gaps: gaps.filter(({ meetings }) => meetings > 0),
    tasks: yield* tasksWhere(
      db,
      db`t.state in ('blocked', 'waiting', 'running', 'failed') and (f.run_id = ${id}
        or f.source_id in (select id from source where place_id = ${placeId})
        or f.meeting_id in (select m.id from meeting m where ${meetingOfPlace(db, run)}))`,
      { order: db`array_position(array['failed', 'running', 'waiting'], t.state), t.due_at, t.id`, limit: 200 }
    ),
    actions: actions.map(sent)
  } satisfies CompletionRun
})

import { Context, DateTime, Effect, Layer } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AgentGaps, AgentMeetingQuery, AgentMeetingRow, AgentMeetings } from "../../../schema/agent/meeting.ts"
import { type MeetingGap, meetingGaps } from "../../../schema/part.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { gapsOf, lacks, stageOfGap } from "../making/meeting-gaps.ts"
import { cardsOf } from "../meetings/cards.ts"
import { meetingsAsked } from "./meeting-list-filters.ts"

const defaults = { page: 1, page_size: 50, per_group: 5 } as const

interface StateRow {
  readonly id: MeetingId
  readonly gaps: ReadonlyArray<MeetingGap>
  readonly flow_id: string | null
  readonly pipeline: AgentMeetingRow["pipeline"]
  readonly stages: Readonly<Record<string, string>>
}

interface GroupRow {
  readonly key: string
  readonly name: string
  readonly total: number
  readonly groups_total: number
  readonly meeting_ids: ReadonlyArray<MeetingId>
}

/** Meetings as the pipeline sees them: their parts, their gaps, and the state of their work. */
export class MeetingList extends Context.Service<
  MeetingList,
  {
    readonly list: (query: AgentMeetingQuery) => Effect.Effect<AgentMeetings>
    /** The gaps of held meetings, across the whole record. */
    readonly gaps: Effect.Effect<AgentGaps>
  }
>()("civic-record/MeetingList") {
  static readonly layer = Layer.effect(
    MeetingList,
    Effect.gen(function* () {
      const db = yield* Db
      const { baseUrl } = yield* Environment

      const rowsOf = Effect.fnUntraced(function* (ids: ReadonlyArray<MeetingId>) {
        const cards = yield* cardsOf(db, ids, baseUrl)
        const states = yield* db<StateRow>`
          select m.id, ${gapsOf(db)} as gaps, f.id as flow_id, coalesce(f.state, 'none') as pipeline,
            coalesce((select json_object_agg(t.stage, t.state) from task t where t.flow_id = f.id), '{}') as stages
          from meeting m left join lateral (
            select id, state from flow where meeting_id = m.id and kind = 'meeting'
              order by created_at desc limit 1) f on true
          where m.id = any(${ids}::uuid[])`
        const byId = new Map(states.map((row) => [row.id, row]))
        return cards.map((meeting): AgentMeetingRow => {
          const row = byId.get(meeting.id)
          return {
            meeting,
            pipeline: row?.pipeline ?? "none",
            ...(row === undefined || row.flow_id === null ? {} : { flow_id: row.flow_id }),
            stages: row?.stages ?? {},
            gaps: row?.gaps ?? []
          }
        })
      })

      const list = Effect.fn("MeetingList.list")(function* (query: AgentMeetingQuery) {
        const { page, page_size, per_group } = { ...defaults, ...query }
        const fitting = meetingsAsked(db, query, DateTime.formatIso(yield* DateTime.now))
        const asked = db`meeting m join body b on b.id = m.body_id where ${fitting}`
        const [counted] = yield* db<{ total: number }>`select count(*)::int as total from ${asked}`
        const paging = { total: counted?.total ?? 0, page, page_size }
        if (query.group_by === undefined) {
          const found = yield* db<{ id: MeetingId }>`
            select m.id from ${asked} order by m.date desc, m.id limit ${page_size} offset ${(page - 1) * page_size}`
          return { ...paging, meetings: yield* rowsOf(found.map(({ id }) => id)) }
        }
        // A meeting whose body serves several places is grouped under the first.
        const group =
          query.group_by === "agency"
            ? db`b.slug as key, b.name as name`
            : db`coalesce(p.slug, '-') as key, coalesce(p.name, 'No place') as name`
        const groups = yield* db<GroupRow>`
          with found as (
            select m.id, m.date, ${group}
            from meeting m join body b on b.id = m.body_id
            left join body_place bp on bp.body_id = b.id and bp.position = (
              select min(position) from body_place first where first.body_id = b.id)
            left join place p on p.id = bp.place_id
            where ${fitting}),
          ranked as (select *, row_number() over (partition by key order by date desc, id) as rank from found)
          select key, min(name) as name, count(*)::int as total, (count(*) over ())::int as groups_total,
            coalesce(json_agg(id order by rank) filter (where rank <= ${per_group}::int), '[]') as meeting_ids
          from ranked group by key order by total desc, key limit ${page_size} offset ${(page - 1) * page_size}`
        const [counts] =
          groups.length > 0
            ? groups
            : yield* db<{ groups_total: number }>`
                select count(distinct ${
                  query.group_by === "agency" ? db`b.id` : db`coalesce(b.place_slugs[1], '-')`
                })::int as groups_total from ${asked}`
        return {
          ...paging,
          meetings: yield* rowsOf(groups.flatMap(({ meeting_ids }) => meeting_ids)),
          groups: groups.map(({ groups_total, ...shown }) => shown),
          groups_total: counts?.groups_total ?? 0
        }
      }, dbDies)

      const gaps = Effect.gen(function* () {
        const [held] = yield* db<{ held: number }>`select coalesce(sum(held), 0)::int as held from body_held`
        const rows = yield* Effect.forEach(meetingGaps, (gap) =>
          Effect.map(
            db<{ meetings: number; in_work: number; newest: ReadonlyArray<MeetingId> }>`
              with missing as (select m.id, m.date from meeting m where ${lacks(db, gap)})
              select count(*)::int as meetings,
                (select count(*)::int from missing where exists (
                  select from flow f where f.meeting_id = missing.id and f.state = 'open')) as in_work,
                coalesce((select json_agg(id) from (
                  select id from missing order by date desc, id limit 10) shown), '[]') as newest
              from missing`,
            ([row]) => ({ gap, stage: stageOfGap(gap), ...(row ?? { meetings: 0, in_work: 0, newest: [] }) })
          )
        )
        return { held: held?.held ?? 0, gaps: rows }
      }).pipe(dbDies, Effect.withSpan("MeetingList.gaps"))

      return { list, gaps }
    })
  )
}

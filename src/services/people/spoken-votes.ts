import { Effect } from "effect"
import type { ReadSql, Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { Member } from "../../text/roll-calls/members.ts"

/** Those who had a seat in a meeting's body on its day. Clerks and staff call rolls, and answer none. */
export const membersAt = (db: ReadSql, meeting: MeetingId) => db<Member>`
  with seated as (
    select coalesce(o.merged_into, o.id) as id, o.name, o.other_names
    from meeting m join membership s on s.body_id = m.body_id join person o on o.id = s.person_id
    where m.id = ${meeting} and s.role not in ('clerk', 'staff')
      and coalesce(s.start_date, '-infinity') <= m.date and coalesce(s.end_date, 'infinity') >= m.date)
  select p.slug, p.name, p.other_names || array(
    select distinct n.name from seated o cross join unnest(o.name || o.other_names) n (name)
    where o.id = p.id) as other_names
  from person p where p.id in (select id from seated) order by p.slug`

/** The slugs of the matters that items of a meeting's agenda are about, by the item's id. */
export const mattersAt = Effect.fnUntraced(function* (db: Sql, meeting: MeetingId) {
  const rows = yield* db<{ item: string; slug: string }>`
    select distinct on (i.id) i.id as item, x.slug from agenda_item i
    join meeting m on m.id = i.meeting_id join body_place bp on bp.body_id = m.body_id
    join matter x on x.place_id = bp.place_id and x.key = i.matter_key
    where i.meeting_id = ${meeting} order by i.id, bp.position, x.id`
  return new Map(rows.map(({ item, slug }) => [item, slug]))
})

/** Takes the votes of a meeting off the record that were read from its words or its minutes, all but these. */
export const forgetVotes = Effect.fnUntraced(function* (
  db: Sql,
  meeting: MeetingId,
  origin: "transcript" | "minutes",
  kept: ReadonlyArray<string>
) {
  const gone = yield* db`
    delete from vote where meeting_id = ${meeting} and origin = ${origin} and id <> all(${kept}::uuid[])
    returning id`
  return gone.length
})

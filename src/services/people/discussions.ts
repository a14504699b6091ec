import { Effect, Schema } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { roundSeconds } from "../../../schema/primitives.ts"
import { mayRead, type Viewer } from "../../../schema/viewer.ts"
import type { Matter } from "../../../schema/vote.ts"
import { AtMeetingRow, atMeeting, atMeetingColumns } from "../meetings/at-meeting.ts"
import { speakersKnown } from "../meetings/speaker-people.ts"
import { given } from "../wire.ts"

/** The most items that are told, the newest. */
const mostDiscussions = 50

const spokenRows = rowsBy(
  Schema.Struct({
    ...{ body_id: Schema.Finite, date: Schema.String, name: Schema.String, person: Schema.NullOr(Schema.String) },
    start: Schema.Finite,
    ...AtMeetingRow.fields
  })
)

/** From the second of an item to that of the next one; null until the end. */
interface Stretch {
  readonly meeting_id: string
  readonly item_id: string
  readonly start: number
  readonly until: number | null
}

/**
 * Who spoke while meetings were at the items that are about a matter: those whose turns fall between the second of the
 * item and that of the next one. Names are in the transcript, so they are for who may read it; their number is for all.
 */
export const discussionsOf = Effect.fnUntraced(function* (db: ReadSql, id: number, viewer: Viewer) {
  // By itself, because most matters have none, and the rest takes longer to plan than to run.
  const stretches = yield* db<Stretch>`
    with about as (
      select s.meeting_id, s.agenda_item_id as item_id from matter_step s
      where s.matter_id = ${id} and s.agenda_item_id is not null
      union
      select v.meeting_id, v.agenda_item_id from vote v where v.matter_id = ${id} and v.agenda_item_id is not null
      union
      select i.meeting_id, i.id from matter x join agenda_item i on i.matter_key = x.key
        join meeting o on o.id = i.meeting_id join body_place bp on bp.body_id = o.body_id and bp.place_id = x.place_id
      where x.id = ${id})
    select i.meeting_id, i.id as item_id, i.start::float8 as start, (
      select min(n.start) from agenda_item n where n.meeting_id = i.meeting_id and n.start > i.start)::float8 as until
    from about a join agenda_item i on i.meeting_id = a.meeting_id and i.id = a.item_id
    join meeting m on m.id = i.meeting_id
    where i.start is not null and exists (select from transcript_speaker k where k.meeting_id = i.meeting_id)
    order by m.date desc, m.id, i.position limit ${mostDiscussions}`
  if (stretches.length === 0) return []
  const rows = yield* spokenRows(db`
    select m.body_id, m.date::text as date, k.name, k.person, spoke.start::float8 as start, ${atMeetingColumns(db)}
    from unnest(${stretches.map(({ meeting_id }) => meeting_id)}::uuid[],
      ${stretches.map(({ item_id }) => item_id)}::uuid[], ${stretches.map(({ start }) => start)}::float8[],
      ${stretches.map(({ until }) => until)}::float8[]) t (meeting_id, item_id, start, until)
    join meeting m on m.id = t.meeting_id join body b on b.id = m.body_id
    join agenda_item i on i.meeting_id = t.meeting_id and i.id = t.item_id
    join transcript_speaker k on k.meeting_id = t.meeting_id
    cross join lateral (
      select min(greatest(turn.start, t.start)) as start
      from unnest(coalesce(k.turns, array[k.start]), coalesce(k.until, array[k.start])) turn (start, until)
      where turn.start < coalesce(t.until, 'infinity') and (turn.until > t.start or turn.start >= t.start)) spoke
    where spoke.start is not null
    order by m.date, m.id, i.position, spoke.start, k.name`)
  const personOf = yield* speakersKnown(db, rows)
  return [...Map.groupBy(rows, ({ meeting_id, item_id }) => `${meeting_id} ${item_id}`).values()].flatMap(
    (those): Matter["discussions"] => {
      const meeting = those[0] === undefined ? undefined : atMeeting(those[0])
      if (meeting === undefined) return []
      const speakers = those.map((row) => ({
        name: row.name,
        ...given("person", personOf(row)),
        start: roundSeconds(row.start)
      }))
      return [{ meeting, speaker_count: those.length, ...(mayRead(viewer, meeting.id) ? { speakers } : {}) }]
    }
  )
})

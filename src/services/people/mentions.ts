import { Effect, Schema } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { mayRead, type Viewer } from "../../../schema/viewer.ts"
import type { Matter } from "../../../schema/vote.ts"
import { waysToSay } from "../../text/language/spoken-identifier.ts"
import { AtMeetingRow, atMeeting, atMeetingColumns } from "../meetings/at-meeting.ts"
import { passagesWith } from "../meetings/sql.ts"
import { given } from "../wire.ts"

/** The most meetings that are listed, the newest. */
const mostMentions = 50

const mentionRows = rowsBy(Schema.Struct({ start: Schema.Finite, ...AtMeetingRow.fields }))

/**
 * The meetings of a matter's place at which its identifier is only said: it stands neither on their agendas nor in the
 * matter's history. Read from the words of the search, so that it holds for whatever comes on record first.
 */
export const mentionsOf = Effect.fnUntraced(function* (
  db: ReadSql,
  { id, identifier, kind }: { readonly id: number; readonly identifier: string; readonly kind: string },
  viewer: Viewer
) {
  const ways = waysToSay(identifier, kind)
  if (ways.length === 0) return []
  const rows = yield* mentionRows(db`
    with way as (select n, search_phrase(text) as query, search_vector(text) as words
      from unnest(${ways}::text[]) with ordinality w (text, n)),
    part as (
      select w.n, l.lexeme, at - min(at) over (partition by w.n) as away
      from way w cross join unnest(w.words) l cross join unnest(l.positions) at),
    whole as (select n, count(*) as parts from part group by n),
    passage_found as materialized (
      select p.meeting_id, p.words, said.starts
      from ${passagesWith(db, db`(select string_agg('(' || query::text || ')', ' | ')::tsquery from way)`)} p
      join passage said using (meeting_id, block, position)),
    said as (
      select f.meeting_id, min(f.starts[s.at]) as start from passage_found f
      cross join lateral (
        select at - part.away as at from part join unnest(f.words) l on l.lexeme = part.lexeme
          cross join unnest(l.positions) at join whole using (n)
        group by part.n, 1, whole.parts having count(*) = whole.parts) s
      group by f.meeting_id)
    select said.start::float8 as start, ${atMeetingColumns(db)}
    from said join meeting m on m.id = said.meeting_id join body b on b.id = m.body_id
    join matter x on x.id = ${id}
    left join agenda_item i on false
    where m.status = 'held'
      and exists (select from body_place bp where bp.body_id = m.body_id and bp.place_id = x.place_id)
      and not exists (select from matter_step s where s.matter_id = x.id and s.meeting_id = m.id)
      and not exists (select from agenda_item a where a.meeting_id = m.id and a.matter_key = x.key)
    order by m.date desc, m.id limit ${mostMentions}`)
  return rows.flatMap((row): Matter["mentions"] => {
    const meeting = atMeeting(row)
    return meeting === undefined ? [] : [{ meeting, ...given("start", mayRead(viewer, meeting.id) ? row.start : null) }]
  })
})

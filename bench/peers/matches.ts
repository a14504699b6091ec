import type { Sql } from "postgres"
import type { Match, MeetingCard } from "../../schema/meeting.ts"
import { given } from "../../src/services/wire.ts"
import type { Search } from "./query.ts"

interface MatchRow {
  readonly id: string
  readonly field: Match["field"]
  readonly snippet: string | null
  readonly start: number | null
}

/** The matches in each meeting: in its title, agenda and chapters as a snippet, in its transcript by the second. */
export const matchesOf = async (sql: Sql, cards: ReadonlyArray<MeetingCard>, { text }: Search) => {
  const wanted = text.replaceAll(/(?<=^|\s)-\S+/g, " ")
  const rows = await sql<ReadonlyArray<MatchRow>>`
    with asked as (
      select replace(websearch_to_tsquery('public.civic', ${wanted})::text, ' & ', ' | ')::tsquery as words
    ),
    wanted as (select unnest(${cards.map(({ id }) => String(id))}::uuid[]) as id),
    part as (
      select m.id, 1 as place, 'title' as field, m.title as shown, null::float8 as start
      from wanted w join meeting m on m.id = w.id
      union all
      select a.meeting_id, 2, 'agenda', concat_ws(' ', a.number, a.title), a.start::float8
      from wanted w join agenda_item a on a.meeting_id = w.id
      union all
      select c.meeting_id, 3, 'chapter', c.title, c.start::float8 from wanted w join chapter c on c.meeting_id = w.id
    ),
    named as (
      select id, place, field, ts_headline('public.civic', shown, asked.words, 'StartSel="", StopSel=""')
        as snippet, start
      from part, asked where to_tsvector('public.civic', shown) @@ asked.words
    ),
    said as (
      select w.id, 4 as place, 'transcript' as field, null as snippet, c.starts[1]::float8 as start
      from wanted w, asked, lateral (
        select p.starts from (
          select v.meeting_id, v.block, v.position from passage_vector v
          where v.meeting_id = w.id and v.words @@ asked.words order by ts_rank(v.words, asked.words) desc limit 3
        ) v join passage p using (meeting_id, block, position)
      ) c
    )
    select id, field, snippet, start from (select * from named union all select * from said) found
    order by place, start`
  const byMeeting = Map.groupBy(rows, ({ id }) => id)
  return new Map(
    cards.map(({ id, path }): [string, ReadonlyArray<Match>] => [
      id,
      (byMeeting.get(id) ?? []).slice(0, 8).map(({ field, snippet, start }) => ({
        field,
        ...given("snippet", snippet),
        ...given("start", start),
        path: start === null ? path : `${path}?t=${Math.floor(start)}`
      }))
    ])
  )
}

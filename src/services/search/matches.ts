import { Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"
import type { Match } from "../../../schema/meeting.ts"
import { roundSeconds } from "../../../schema/primitives.ts"
import { given } from "../meetings/wire.ts"
import { type SearchQuery, wantedWords } from "./search-query.ts"
import { anyOf, togetherOf } from "./search-sql.ts"

interface MatchRow {
  readonly id: string
  readonly field: Match["field"]
  readonly text: string
  readonly start: number | null
  readonly starts: ReadonlyArray<number> | null
}

/** Marks a found word in a stretch of transcript; no text on record contains it. */
const mark = "\u0001"

/**
 * When the first found word of a stretch is said, in seconds: `starts` has one time per word, so its index is how
 * many precede it.
 */
const momentOf = (row: MatchRow): number | null => {
  if (row.starts === null) return row.start
  const before = row.text.slice(0, Math.max(0, row.text.indexOf(mark)))
  const moment = row.starts[(before.match(/\S+/g) ?? []).length - (/\S$/.test(before) ? 1 : 0)]
  return moment === undefined ? null : roundSeconds(moment)
}

/**
 * Where a query was found in each of these meetings, by meeting id: at most one title, one headline, two agenda items,
 * two chapters, two clips and three moments of the transcript. Those moments carry no words, which are gated (contract
 * section 4).
 */
export const matchesOf = Effect.fn("Browse.matches")(function* (
  db: Sql,
  meetings: ReadonlyArray<{ readonly id: string; readonly path: string }>,
  search: SearchQuery
) {
  const found = new Map<string, Array<Match>>()
  if (meetings.length === 0) return found
  const any = anyOf(db, wantedWords(search))
  const together = togetherOf(db, search)
  const options = `StartSel="",StopSel="",MaxWords=30,MinWords=12`
  const rows = yield* db<MatchRow>`
    with wanted as materialized (
      select id::uuid from unnest(${meetings.map(({ id }) => id)}::text[]) id
    ),
    asked as materialized (select ${any} as one, ${together} as every),
    named as (
      select m.id, 'title' as field, m.title as text, null::float8 as start, 0 as position
      from wanted w join meeting m on m.id = w.id
      union all
      select a.meeting_id, 'agenda', concat_ws(' ', a.number, a.title), a.start::float8, a.position
      from wanted w join agenda_item a on a.meeting_id = w.id
      union all
      select c.meeting_id, 'chapter', c.title, c.start::float8, c.position from wanted w join chapter c on c.meeting_id = w.id
      union all
      select c.meeting_id, 'clip', c.title, c.start::float8, 0
      from wanted w join clip c on c.meeting_id = w.id and c.state = 'published'
      union all
      select f.meeting_id, 'briefing', f.headline, null, 0 from wanted w join published_briefing f on f.meeting_id = w.id
    ),
    best as (
      select n.*, row_number() over (
        partition by n.id, n.field
        order by ts_rank(to_tsvector('public.civic', n.text), asked.one) desc, n.position, n.start) as turn
      from named n, asked
      where to_tsvector('public.civic', n.text) @@ asked.one
    ),
    said as (
      select c.*, row_number() over (
        partition by c.meeting_id
        order by (c.words @@ asked.every) desc, ts_rank(c.words, asked.one) desc, c.position) as turn
      from wanted w join transcript_chunk c on c.meeting_id = w.id, asked
      where c.words @@ asked.one
    )
    select id, field, ts_headline('public.civic', text, asked.one, ${options}) as text, start, null as starts
    from best, asked where turn <= case when field in ('title', 'briefing') then 1 else 2 end
    union all
    select meeting_id, 'transcript',
      ts_headline('public.civic', text, case when words @@ asked.every then asked.every else asked.one end,
        ${`HighlightAll=true,StartSel=${mark},StopSel=${mark}`}),
      null, starts
    from said, asked where turn <= 3`
  const paths = new Map(meetings.map(({ id, path }) => [id, path]))
  for (const row of rows) {
    const start = momentOf(row)
    const path = paths.get(row.id) ?? ""
    const match: Match = {
      field: row.field,
      ...(row.field === "transcript" ? {} : { snippet: row.text }),
      ...given("start", start),
      path: start === null ? path : `${path}?t=${Math.floor(start)}`
    }
    found.set(row.id, [...(found.get(row.id) ?? []), match])
  }
  return found
})

import { Effect, Struct } from "effect"
import type { Sql } from "../../../layers/db.ts"
import type { Match } from "../../../schema/meeting.ts"
import { roundSeconds } from "../../../schema/primitives.ts"
import { type SearchQuery, wantedIn, wantedWords } from "../../../schema/search-query.ts"
import { given } from "../meetings/wire.ts"
import { mark, momentIn } from "./moments.ts"
import { anyAsWritten, anyName, anyOf, asTyped, literally, togetherOf } from "./search-sql.ts"

interface MatchRow {
  readonly id: string
  readonly field: Match["field"]
  /** Null where the words were found in what only readers see. */
  readonly snippet: string | null
  readonly start: number | null
  /** Of a transcript: a stretch as search spells it, a word per line, with the found words marked. */
  readonly said: string | null
  /** The second at which each of those lines is said. */
  readonly starts: ReadonlyArray<number> | null
}

/** How many matches of each field a meeting has at most, in the order in which they are told. */
const mostOf = { title: 1, body: 1, agenda: 2, chapter: 2, clip: 2, briefing: 1, speaker: 1, transcript: 3 } as const

/** One more than is told, because an agenda item or a chapter may begin at the second of one of them. */
const stretches = mostOf.transcript + 1

/**
 * Where a query was found in each of these meetings, by meeting id: at least one match each, and no moment twice. What is
 * gated, such as what was said and the descriptions of agenda items, is found, but its words are not told (contract
 * section 4).
 */
export const matchesOf = Effect.fn("Browse.matches")(function* (
  db: Sql,
  meetings: ReadonlyArray<{ readonly id: string; readonly path: string }>,
  search: SearchQuery
) {
  const terms = wantedWords(search)
  const any = anyOf(db, terms)
  const together = togetherOf(db, search)
  const typed = asTyped(search)
  const options = `StartSel="",StopSel="",MaxWords=30,MinWords=12`
  const rows = yield* db<MatchRow & { readonly spelled: ReadonlyArray<string> }>`
    with asked as materialized (
      select ${any} as one, ${together} as every, ${anyOf(db, typed)} as row, ${anyAsWritten(db, terms)} as written,
        ${anyName(db, wantedIn(search, "speaker"))} as name, ${anyName(db, terms)} as as_name,
        array(select search_text(term) from unnest(${terms}::text[]) term) as spelled),
    wanted as materialized (
      -- Descriptions are long, so they are read only where one has the words: their weight is C.
      select w.id::uuid as id, ts_filter(s.named, '{c}') @@ asked.one as described
      from unnest(${meetings.map(({ id }) => id)}::text[]) w (id)
      join meeting_search s on s.meeting_id = w.id::uuid, asked
    ),
    named as (
      select m.id, 'title' as field, m.title as shown, null as hidden, null::float8 as start, 0 as position
      from wanted w join meeting m on m.id = w.id
      union all
      select m.id, 'body', concat_ws(', ', b.name, (
          select string_agg(p.name, ', ' order by bp.position) from body_place bp join place p on p.id = bp.place_id
          where bp.body_id = b.id)), null, null, 0
      from wanted w join meeting m on m.id = w.id join body b on b.id = m.body_id
      union all
      select a.meeting_id, 'agenda', concat_ws(' ', a.number, a.title),
        case when w.described then left(a.description, 4000) end, a.start::float8, a.position
      from wanted w join agenda_item a on a.meeting_id = w.id
      union all
      select c.meeting_id, 'chapter', c.title, null, c.start::float8, c.position
      from wanted w join chapter c on c.meeting_id = w.id
      union all
      select c.meeting_id, 'clip', case when d.key is null then '' else c.title end, c.title, c.start::float8, 0
      from wanted w join clip c on c.meeting_id = w.id and c.state = 'published'
      left join media d on d.meeting_id = c.meeting_id and d.role = 'clip' and d.subject = c.id
      union all
      select f.meeting_id, 'briefing', f.headline, null, null, 0
      from wanted w join published_briefing f on f.meeting_id = w.id
    ),
    best as (
      select n.*, is_shown, row_number() over (
        partition by n.id, n.field
        order by is_shown desc, words @@ asked.every desc, ts_rank(words, asked.one) desc, n.position, n.start) as turn
      -- Each text is taken apart once: an agenda may have hundreds of them.
      from named n, asked, lateral (select search_vector(n.shown) as words offset 0) shown,
        lateral (select words @@ asked.one as is_shown) hit
      where is_shown or search_vector(n.hidden) @@ asked.one
    ),
    -- The names of speakers are gated with what they say, so only their second is told. A name has no other forms: "Kaye"
    -- is not "Kay", though both have one stem.
    spoke as (
      select k.meeting_id, k.start::float8 as start, row_number() over (
        partition by k.meeting_id
        order by k.words @@ asked.name desc, named.words @@ asked.every desc, ts_rank(named.words, asked.one) desc, k.start) as turn
      from wanted w join transcript_speaker k on k.meeting_id = w.id, asked,
        lateral (select search_vector(k.name) as words) named
      where k.words @@ asked.name or (named.words @@ asked.one and k.words @@ asked.as_name)
    ),
    ranked as (
      select c.*, c.words @@ asked.every as is_whole, row_number() over (
        partition by c.meeting_id
        -- The words as they stand in the query, letter for letter first ("Kaye" has the stem of "Kay"), then close together.
        order by c.words @@ asked.every desc,
          case when c.words @@ asked.row then 1 + (lower(c.text) like any(${literally(typed)}::text[]))::int else 0 end desc,
          ts_rank_cd(c.words, asked.every) desc, ts_rank(c.words, asked.one) desc,
          c.position) as turn
      from wanted w join transcript_chunk c on c.meeting_id = w.id, asked
      where c.words @@ asked.one
    ),
    -- Moments lie apart: a stretch beside a better one, whose last words it repeats, is passed over.
    apart as (
      select r.*, bool_or(is_whole) over (partition by meeting_id) as has_whole, turn > min(turn) over (
        partition by meeting_id order by position range between 1 preceding and 1 following) as is_beside
      from ranked r
    ),
    -- Where some stretch has all the words, those with fewer are not told.
    said as (
      select a.*, row_number() over (partition by meeting_id order by turn) as place
      from apart a where not is_beside and (is_whole or not has_whole)
    )
    select id, field, case when is_shown then ts_headline('public.civic', shown, asked.written, ${options}) end as snippet,
      start, null as said, null::real[] as starts, asked.spelled, turn
    from best, asked where turn <= 2
    union all
    select meeting_id, 'speaker', null, start, null, null::real[], asked.spelled, turn from spoke, asked where turn <= 2
    union all
    -- The line breaks keep each word apart from the next, however many search makes of it.
    select meeting_id, 'transcript', null, null,
      ts_headline('public.civic', search_text(replace(text, ' ', chr(10))),
        case when is_whole then asked.every else asked.one end,
        ${`HighlightAll=true,StartSel=${mark},StopSel=${mark}`}),
      starts, asked.spelled, place
    from said, asked where place <= ${stretches}
    order by turn`
  const spelled = rows[0]?.spelled ?? []
  const isNamed = terms.length === 0 && [...wantedIn(search, "body"), ...wantedIn(search, "place")].length > 0
  const whole = isNamed ? "body" : "title"
  const byMeeting = Map.groupBy(rows, ({ id }) => id)
  return new Map(meetings.map(({ id, path }) => [id, told(byMeeting.get(id) ?? [], path, spelled, whole)]))
})

/** The second at which a match is said, if it is known. */
const startOf = ({ start, said, starts }: MatchRow, terms: ReadonlyArray<string>): number | undefined => {
  const at = said === null ? undefined : momentIn(said, terms)
  const second = at === undefined ? start : starts?.[at]
  return second === null || second === undefined ? undefined : roundSeconds(second)
}

/**
 * The matches of one meeting, of those of one moment the first. Where no part of it has the words, because a phrase runs
 * across two of them, every word is negated, or only its body or day was asked for, the meeting as a whole is told: by its
 * body or its title.
 */
const told = (
  rows: ReadonlyArray<MatchRow>,
  path: string,
  terms: ReadonlyArray<string>,
  whole: Match["field"]
): ReadonlyArray<Match> => {
  const moments = new Set<number>()
  const matches = Struct.keys(mostOf).flatMap((field) =>
    rows
      .filter((row) => row.field === field)
      .flatMap((row): ReadonlyArray<Match> => {
        const start = startOf(row, terms)
        if (start === undefined) return [{ field, ...given("snippet", row.snippet), path }]
        const second = Math.floor(start)
        if (moments.has(second)) return []
        moments.add(second)
        return [{ field, ...given("snippet", row.snippet), start, path: `${path}?t=${second}` }]
      })
      .slice(0, mostOf[field])
  )
  return matches.length === 0 ? [{ field: whole, path }] : matches
}

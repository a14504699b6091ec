import { Effect, Option } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import type { Match } from "../../../../schema/meeting.ts"
import { MeetingId } from "../../../../schema/primitives.ts"
import { type SearchQuery, wantedIn, wantedWords } from "../../../../schema/search-query.ts"
import { mayRead, type Viewer } from "../../../../schema/viewer.ts"
import { longestHeadline } from "../../meetings/newsletter-teaser.ts"
import { given } from "../../wire.ts"
import type { Found, Passages } from "../found/found.ts"
import { anyAsWritten, anyName, anyOf, anySpeaker, saysAny, togetherOf, typedWords } from "../query/search-sql.ts"
import { readRow, readRows } from "../query/tsquery.ts"
import { type Asked, MatchRow, mostOf, placesOf } from "./match-places.ts"
import { momentPath } from "./moments.ts"
import { printedMatches } from "./printed.ts"
import { snippetsAt } from "./snippets.ts"
import { termsOf, timesSaid } from "./spoken.ts"

const matchRows = rowsBy(MatchRow)

/** A search that found something, and who asks. */
export interface Searched {
  readonly search: SearchQuery
  /** The query as typed or corrected. */
  readonly words: string
  readonly found: Pick<Found, "passages" | "printed" | "spoken">
  readonly viewer: Viewer
}

/** One more than is listed, because an agenda item or a chapter may begin at the same second as one of them. */
const mostMoments = mostOf.transcript + 1

/**
 * Finds where a query matches in each of these meetings (`of`): at least one match each, and no moment or text twice;
 * and whether it matches there only in other forms than typed, or scattered (`isOtherwise`). Gated text, such as the
 * transcript and the descriptions of agenda items, matches too, but is not shown (contract section 4).
 */
export const matchesOf = Effect.fn("Browse.matches")(function* (
  db: ReadSql,
  ids: ReadonlyArray<string>,
  { search, words, found, viewer }: Searched
) {
  const passages = yield* found.passages(ids)
  const terms = wantedWords(search)
  const any = anyOf(db, terms)
  const together = togetherOf(db, search)
  const typed = typedWords(search)
  const isPlain = typed.length > 0 && search.either.every(({ phrases }) => phrases.length === 0)
  const options = `StartSel="",StopSel="",MaxWords=30,MinWords=12`
  const named = matchRows(db`
    with asked as materialized (
      select ${any} as one, ${together} as every, ${anyOf(db, typed)} as row, ${anyAsWritten(db, terms)} as written,
        ${anySpeaker(db, wantedIn(search, "speaker"))} as name, ${anyName(db, terms)} as as_name,
        array(select search_phrase(term)::text from unnest(${terms}::text[]) term) as phrases,
        array(select search_phrase(text)::text from unnest(${typed}::text[]) text) as rows,
        array(select coalesce((select min(l.positions[1]) - 1 from unnest(search_vector(text)) l), 0)::int
          from unnest(${typed}::text[]) text) as leads,
        array(select distinct l.lexeme from unnest(${terms}::text[]) term, unnest(search_vector(term)) l) as lexemes),
    wanted as materialized (
      -- The weights of the vector (index_meetings) show which fields to read: most words are only in the transcript.
      select w.id::uuid as id, is_named and ts_filter(s.named, '{a}') @@ asked.one as in_title,
        is_named and ts_filter(s.named, '{b}') @@ asked.one as in_items,
        is_named and ts_filter(s.named, '{c}') @@ asked.one as described,
        (is_named and ts_filter(s.named, '{d}') @@ asked.one) or numnode(asked.name) > 0 as in_speakers
      from unnest(${ids}::text[]) w (id)
      join meeting_search s on s.meeting_id = w.id::uuid, asked,
        lateral (select s.named @@ asked.one as is_named offset 0) any_where
    ),
    named as (
      select m.id, 'title' as field, m.title as shown, null::tsvector as words,
        null as hidden, null::tsvector as hidden_words, null::float8 as start, 0 as position
      from wanted w join meeting m on m.id = w.id where w.in_title
      union all
      select m.id, 'body', concat_ws(', ', b.name, (
          select string_agg(p.name, ', ' order by bp.position) from body_place bp join place p on p.id = bp.place_id
          where bp.body_id = b.id)), null, null, null, null, 0
      from wanted w join meeting m on m.id = w.id join body b on b.id = m.body_id where w.in_title
      union all
      select a.meeting_id, 'agenda', concat_ws(' ', a.number, a.title), a.words,
        case when w.described then left(a.description, 4000) end,
        case when w.described then a.described end, a.start::float8, a.position
      from wanted w join agenda_item a on a.meeting_id = w.id where w.in_items or w.described
      union all
      select c.meeting_id, 'chapter', c.title, c.words, null, null, c.start::float8, c.position
      from wanted w join chapter c on c.meeting_id = w.id where w.in_items
      union all
      select c.meeting_id, 'clip', case when d.key is null then '' else c.title end, null, c.title, null,
        c.start::float8, 0
      from wanted w join clip c on c.meeting_id = w.id and c.state = 'published'
      left join media d on d.meeting_id = c.meeting_id and d.role = 'clip' and d.subject = c.id where w.in_items
      union all
      select f.meeting_id, 'briefing', case when length(f.headline) <= ${longestHeadline} then f.headline
          else regexp_replace(left(f.headline, ${longestHeadline}), '\\s+\\S*$', '') end,
        null, f.headline, null, null, 0
      from wanted w join published_briefing f on f.meeting_id = w.id where w.in_items
    ),
    best as (
      select n.id, n.field, n.shown, n.hidden, n.start, is_shown, shown.words @@ asked.every as is_whole,
        row_number() over (
          partition by n.id, n.field
          order by is_shown desc, shown.words @@ asked.every desc, ts_rank(shown.words, asked.one) desc,
            n.position, n.start) as turn
      from named n, asked, lateral (select coalesce(n.words, search_vector(n.shown)) as words offset 0) shown,
        lateral (select shown.words @@ asked.one as is_shown) hit
      where is_shown or coalesce(n.hidden_words, search_vector(n.hidden)) @@ asked.one
    ),
    -- Speakers' names are gated with the transcript, so only the second is shown. Names are not stemmed: "Kaye" is not
    -- "Kay", though their stems are equal. A speaker with only some of the words ("chief", "Thomas") does not match.
    spoke as (
      select k.meeting_id, k.start::float8 as start, row_number() over (
        partition by k.meeting_id
        order by k.words @@ asked.name desc, named.words @@ asked.every desc, ts_rank(named.words, asked.one) desc,
          k.start) as turn
      from wanted w join transcript_speaker k on k.meeting_id = w.id, asked,
        lateral (select search_vector(k.name) as words) named
      where w.in_speakers and (k.words @@ asked.name or (named.words @@ asked.every and k.words @@ asked.as_name))
    ),
    ranked as (
      select p.meeting_id, p.position, p.words, p.words @@ asked.every as is_whole, is_typed, row_number() over (
        partition by p.meeting_id
        -- The words in the query's order come first, letter for letter ones before stems ("Kaye" and "Kay" share
        -- one); then words close together.
        order by p.words @@ asked.every desc,
          said_in_row desc, is_typed desc,
          ts_rank_cd(p.words, asked.every) desc, ts_rank(p.words, asked.one) desc,
          p.position) as turn
      from ${passagesToRead(db, passages, typed.length > 0)}, asked,
        lateral (select p.words @@ asked.row as said_in_row) in_row,
        lateral (select said_in_row and ${saysAny(db, db`p.text`, typed)} as is_typed offset 0) as_typed
      where p.words @@ asked.one
    ),
    -- Skips a passage adjacent to a better one, because neighbors overlap.
    apart as (
      select r.*, bool_or(is_whole) over (partition by meeting_id) as has_whole, turn > min(turn) over (
        partition by meeting_id order by position range between 1 preceding and 1 following) as is_beside
      from ranked r
    ),
    -- If some passage has all the words, those with fewer are dropped.
    said as (
      select a.*, row_number() over (partition by meeting_id order by turn) as place
      from apart a where not is_beside and (is_whole or not has_whole)
    )
    select id, field,
      case when is_shown then ts_headline('public.civic', shown, asked.written, ${options}) end as snippet,
      start, null::int as passage, null::json as said, null::real[] as seconds, null::real[] as earlier,
      asked.phrases, asked.rows, asked.leads, turn,
      ${saysAny(db, db`shown`, typed)} or ${saysAny(db, db`hidden`, typed)}
        or (is_whole and ${isPlain}::boolean) as is_typed
    from best, asked where turn <= 2
    union all
    select meeting_id, 'speaker', null, start, null, null, null, null, asked.phrases, asked.rows, asked.leads, turn, ${isPlain}::boolean
    from spoke, asked where turn <= 2
    union all
    select said.meeting_id, 'transcript', null, null, said.position, (
        select json_agg(json_build_array(l.lexeme, l.positions, array(select p.starts[at] from unnest(l.positions) at)))
        from unnest(ts_filter(setweight(said.words, 'a', asked.lexemes), '{a}')) l),
      case when place = 1 then p.starts end, case when place = 1 then (
        select b.starts from passage b where b.meeting_id = said.meeting_id and b.position = said.position - 1
          and b.block = block_of(said.position - 1)) end,
      asked.phrases, asked.rows, asked.leads, place, is_typed
    from said cross join lateral (
        select k.starts from passage k
        where k.meeting_id = said.meeting_id and k.position = said.position and k.block = block_of(said.position)
        offset 0) p, asked
    where place <= ${mostMoments}
    order by turn`)
  const [rows, pages] = yield* Effect.all([named, printedMatches(db, ids, { search, words, found })], {
    concurrency: 2
  })
  const asked: Asked = {
    phrases: readRows(rows[0]?.phrases ?? []),
    rows: (rows[0]?.rows ?? []).flatMap((text, at) => {
      const row = readRow(text)
      const lead = rows[0]?.leads[at] ?? 0
      return row === undefined ? [] : [row.map((word) => ({ ...word, at: word.at + lead }))]
    }),
    words: terms.length > 0 ? words : ""
  }
  const isNamed = terms.length === 0 && [...wantedIn(search, "body"), ...wantedIn(search, "place")].length > 0
  const whole = isNamed ? "body" : "title"
  const byMeeting = Map.groupBy(rows, ({ id }) => id)
  const listed = new Map(ids.map((id) => [id, placesOf(byMeeting.get(id) ?? [], asked)]))

  const lexemes = [...new Set(asked.phrases.flat().map(({ lexeme }) => lexeme))]
  const spoken = [...listed].flatMap(([id, places]) => (places.some(({ said }) => said !== undefined) ? [id] : []))
  const moments = [...listed].flatMap(([id, places]) =>
    mayRead(viewer, MeetingId.make(id)) ? places.flatMap(({ said }) => said ?? []) : []
  )
  const [counted, snippets] = yield* Effect.all(
    [
      spoken.length === 0 ? Effect.succeed(new Map<string, never>()) : found.spoken(spoken, lexemes),
      snippetsAt(db, moments, lexemes)
    ],
    { concurrency: 2 }
  )
  const either = termsOf(search, rows[0]?.phrases ?? [])
  const shown = new Map(moments.map((moment, at) => [moment, snippets[at]]))
  return {
    of: ({ id, path }: { readonly id: string; readonly path: string }): ReadonlyArray<Match> => {
      const count = timesSaid(either, counted.get(id) ?? [])
      const matches = (listed.get(id) ?? []).map(({ field, snippet, start, said }): Match => {
        const place = {
          field,
          ...given("snippet", snippet),
          ...(start === undefined ? { path } : { start, path: momentPath(path, start, asked.words) })
        }
        return said === undefined ? place : { ...place, ...shown.get(said), ...(count > 0 ? { count } : {}) }
      })
      const all = [...matches, ...(pages.get(id) ?? []).map(({ match }) => match)]
      return all.length === 0 ? [{ field: whole, path }] : all
    },
    isOtherwise: ({ id }: { readonly id: string }) => {
      const typed = [
        ...(byMeeting.get(id) ?? []).map(({ is_typed }) => is_typed),
        ...(pages.get(id) ?? []).map(({ isTyped }) => isTyped)
      ]
      return typed.length > 0 && !typed.some((one) => one === true)
    }
  }
})

/**
 * The passages to read, with their texts if those are looked at. Without those from the index, these are all passages
 * of the meetings: without `offset 0`, PostgreSQL would look through the whole record. Each block is unpacked once.
 */
const passagesToRead = (db: ReadSql, passages: Option.Option<Passages>, areTextsRead: boolean) => {
  const asked = Option.match(passages, {
    onNone: () => db`select w.id, b.block, null::int[] as positions
      from wanted w cross join lateral (select k.block from passage_block k where k.meeting_id = w.id offset 0) b`,
    onSome: ({ meetings, positions }) => db`
      select id, block_of(position) as block, array_agg(position) as positions
      from unnest(${meetings}::uuid[], ${positions}::int[]) known (id, position) group by 1, 2`
  })
  return db`(
    select b.meeting_id, of_block.position, of_block.words, of_block.text
    from (${asked}) told join passage_block b on b.meeting_id = told.id and b.block = told.block
    cross join lateral (
      select (first_of(b.block) + n - 1)::int as position, words, text
      from unnest(b.words, ${areTextsRead ? db`b.texts` : db`'{}'::text[]`}) with ordinality u (words, text, n)) of_block
    where told.positions is null or of_block.position = any(told.positions)) p`
}

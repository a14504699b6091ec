import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Who speaks at a meeting, so that search finds them: by `speaker:`, and as a plain name. One row per name of the
 * transcript that readers see, with the second at which it first speaks. Labels that a recognizer gave to voices it cannot
 * tell (`Speaker 2`, `SPEAKER_00`) are no names.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table transcript_speaker (
      meeting_id uuid not null,
      version text not null,
      name text not null,
      start real not null,
      -- Names are neither stemmed nor rid of stop words: somebody is called Will.
      words tsvector not null generated always as (to_tsvector('simple', fold(name))) stored,
      primary key (meeting_id, name),
      foreign key (meeting_id, version) references transcript on delete cascade
    )`
  yield* sql`create index transcript_speaker_words on transcript_speaker using gin (words)`
  yield* sql`create index body_name_words on body using gin (to_tsvector('simple', fold(name)))`
  yield* sql`create index place_name_words on place using gin (to_tsvector('simple', fold(name)))`

  yield* sql`
    insert into transcript_speaker (meeting_id, version, name, start)
    select t.meeting_id, t.version, left(spoken.name, 200), min(spoken.start)
    from transcript t, lateral (
      select trim(regexp_replace(segment ->> 'speaker', '\\s+', ' ', 'g')) as name, (segment ->> 'start')::real as start
      from json_array_elements(t.segments) segment
    ) spoken
    where spoken.name <> '' and spoken.name !~* '^(speaker|spk|voice|unknown)[ _-]*\\d*$'
      and (t.version = 'refined' or not exists (
        select from transcript r where r.meeting_id = t.meeting_id and r.version = 'refined'))
    group by 1, 2, 3`

  yield* sql`
    create or replace function index_meetings(ids uuid[]) returns void language sql as $$
      delete from meeting_search where meeting_id = any(ids);
      with named as (
        select m.id, m.body_id, m.date, m.year,
          setweight(to_tsvector('public.civic', m.title || ' ' || b.name || ' ' || coalesce(
            (select string_agg(p.name, ' ') from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id), '')), 'A')
          || setweight(to_tsvector('public.civic', coalesce(
            (select string_agg(concat_ws(' ', a.number, a.title), ' ' order by a.position) from agenda_item a where a.meeting_id = m.id), '')
            || ' ' || coalesce((select string_agg(c.title, ' ' order by c.position) from chapter c where c.meeting_id = m.id), '')
            || ' ' || coalesce((select string_agg(c.title, ' ' order by c.start, c.id) from clip c
              where c.meeting_id = m.id and c.state = 'published'), '')
            || ' ' || coalesce((select f.headline from published_briefing f where f.meeting_id = m.id), '')), 'B')
          || setweight(to_tsvector('public.civic', coalesce(
            (select string_agg(left(a.description, 4000), ' ' order by a.position) from agenda_item a where a.meeting_id = m.id), '')), 'C')
          || to_tsvector('public.civic', coalesce(
            (select string_agg(k.name, ' ' order by k.start, k.name) from transcript_speaker k where k.meeting_id = m.id), ''))
          as named
        from meeting m join body b on b.id = m.body_id
        where m.id = any(ids) and m.status = 'held'
      )
      insert into meeting_search (meeting_id, body_id, date, year, named, document)
      select n.id, n.body_id, n.date, n.year, n.named,
        strip(n.named) || array_to_tsvector(array(
          select distinct w.lexeme from transcript_chunk c, unnest(c.words) w where c.meeting_id = n.id))
      from named n
    $$`
  yield* sql`
    select index_meetings(coalesce((select array_agg(distinct meeting_id) from transcript_speaker), '{}'))`
})

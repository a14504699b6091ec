import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What search reads, and the function that brings it up to date for some meetings. */
export const search = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Only held meetings are searched. Both vectors are stored out of line, so that counting reads narrow rows.
  yield* sql`
    create table meeting_search (
      meeting_id uuid primary key references meeting on delete cascade,
      body_id int not null references body,
      date date not null,
      year smallint not null,
      -- What the meeting is about, weighted and with positions: title and body A, agenda, chapters, clips and headline B.
      named tsvector not null,
      -- All of its words and those of its transcript, without positions, which stop at 16,383 (PostgreSQL 12.11).
      document tsvector not null
    )`
  yield* sql`alter table meeting_search set (toast_tuple_target = 128)`
  yield* sql`create index meeting_search_document on meeting_search using gin (document)`
  yield* sql`create index meeting_search_body on meeting_search (body_id)`
  yield* sql`
    create function index_meetings(ids uuid[]) returns void language sql as $$
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
})

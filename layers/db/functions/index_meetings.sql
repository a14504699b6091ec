-- after: published_briefing, index_documents, passage
-- Recomputes the search text (meeting_search) of some meetings. Only src/services/feed/changed.ts calls it.

create or replace aggregate tsvector_all (tsvector) (sfunc = tsvector_concat, stype = tsvector, initcond = '');

-- A transcript's words without positions, concatenated in two levels: with one, each passage would copy all before it.
create or replace function spoken_words(meeting uuid) returns tsvector language sql stable as $$
  select coalesce(tsvector_all(part), '') from (
    select tsvector_all(strip(p.words)) as part from passage_vector p
    where p.meeting_id = meeting group by p.position / 17) parts
$$;

create or replace function index_meetings(ids uuid[]) returns void language sql as $$
  select index_documents(ids);
  delete from meeting_search where meeting_id = any(ids);
  with named as (
    select m.id, m.body_id, m.date, m.year,
      setweight(search_vector(m.title || ' ' || b.name || ' ' || coalesce(
        (select string_agg(p.name, ' ') from body_place bp join place p on p.id = bp.place_id
          where bp.body_id = b.id), '')), 'A')
      -- A meeting that introduces an item ranks above those that take it up again.
      || setweight(search_vector(coalesce(
        (select string_agg(a.number, ' ' order by a.position) from agenda_item a
          where a.meeting_id = m.id and a.outcome ~* '^(introduced|first reading|referred to comm)'), '')), 'A')
      || setweight(
        coalesce((select tsvector_all(a.words order by a.position) from agenda_item a where a.meeting_id = m.id), '')
        || coalesce((select tsvector_all(c.words order by c.position) from chapter c where c.meeting_id = m.id), '')
        || search_vector(coalesce((select string_agg(c.title, ' ' order by c.start, c.id) from clip c
          where c.meeting_id = m.id and c.state = 'published'), '')
        || ' ' || coalesce((select f.headline from published_briefing f where f.meeting_id = m.id), '')), 'B')
      || setweight(coalesce(
        (select tsvector_all(a.described order by a.position) from agenda_item a where a.meeting_id = m.id), ''), 'C')
      || search_vector(coalesce(
        (select string_agg(k.name, ' ' order by k.start, k.name) from transcript_speaker k
          where k.meeting_id = m.id), ''))
      as named
    from meeting m join body b on b.id = m.body_id
    where m.id = any(ids) and m.status = 'held'
  )
  insert into meeting_search (meeting_id, body_id, date, year, named, document)
  select n.id, n.body_id, n.date, n.year, n.named,
    strip(n.named) || spoken_words(n.id)
      || coalesce((select s.words from searched_documents s where s.meeting_id = n.id), '')
  from named n
$$;

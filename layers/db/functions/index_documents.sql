-- Cuts the documents of some meetings into the passages that search finds (document_passage), if they have changed
-- since. Only index_meetings calls it.

-- The words of a page as passages count them; one of more than sixty letters is cut.
create or replace function page_words(value text) returns text[] language sql immutable strict parallel safe as $$
  select string_to_array(btrim(regexp_replace(
    case when value ~ '\S{61}' then regexp_replace(value, '(\S{60})', '\1 ', 'g') else value end, '\s+', ' ', 'g')), ' ')
$$;

-- The runs of letters and of digits in a word: hardly any word has more lexemes.
create or replace function word_runs(word text) returns int language sql immutable strict parallel safe as $$
  select greatest(1, regexp_count(word, '[[:alpha:]]+|[[:digit:]]+'))
$$;

-- The documents of a meeting that were read, in the order of lists.
create or replace function documents_read(meeting uuid)
returns table (id uuid, version int, content_hash text, turn bigint) language sql stable as $$
  select d.id, d.version, d.content_hash, row_number() over (
    order by array_position(array['agenda', 'packet', 'minutes', 'attachment'], d.kind), d.position, d.id)
  from document d join meeting m on m.id = d.meeting_id
  where d.meeting_id = meeting and d.version is not null and m.status = 'held'
$$;

-- A passage has up to 128 runs, and the last sixteen of the passage before it, so that a phrase across the boundary is
-- found; thus no position in it is above 255. A tsvector holds a megabyte, so of a meeting the first four million
-- characters are searched, and the first 400,000 bytes of different lexemes.
create or replace function cut_documents(meeting uuid) returns void language plpgsql as $$
declare
  searched constant int := 4000000;
  different constant int := 400000;
  characters bigint;
begin
  delete from document_passage where meeting_id = meeting;
  with page as (
    select d.id, d.turn, p.number, p.text, sum(length(p.text)) over (order by d.turn, p.number) as reaches
    from documents_read(meeting) d join document_page p on p.document_id = d.id and p.version = d.version
  ),
  word as (
    select *, sum(runs) over (partition by turn, number order by n) - 1 as run,
      sum(runs) over (partition by turn, number) - 1 as last_run
    from (
      select page.id, page.turn, page.number, w.n, w.word, word_runs(w.word) as runs
      from page, unnest(page_words(page.text)) with ordinality w (word, n)
      where page.reaches <= searched) words
  ),
  passage as (
    select w.id, w.turn, w.number, part, min(w.n) as first_word, max(w.n) as last_word,
      search_vector(string_agg(w.word, ' ' order by w.n)) as words
    from word w, lateral (
      select w.run / 128 as part
      union all
      -- The last words of a page are not a passage of their own.
      select w.run / 128 + 1 where w.run % 128 >= 112 and w.last_run / 128 > w.run / 128) parts
    group by 1, 2, 3, 4
  )
  insert into document_passage (meeting_id, position, document_id, page, first_word, last_word, words)
  select meeting, row_number() over (order by turn, number, part), id, number, first_word, last_word, words
  from passage;
  select coalesce(sum(length(p.text)), 0) into characters
  from documents_read(meeting) d join document_page p on p.document_id = d.id and p.version = d.version;
  if characters > different then
    delete from document_passage where meeting_id = meeting and position >= (
      select min(position) from (
        select position, sum(bytes) over (order by position) as reaches from (
          select position, sum(octet_length(lexeme)) as bytes from (
            select l.lexeme, min(p.position) as position from document_passage p, unnest(p.words) l
            where p.meeting_id = meeting group by 1) first_of
          group by 1) grown) reached
      where reaches > different);
  end if;
end $$;

create or replace function index_documents(ids uuid[]) returns void language plpgsql as $$
declare
  changed uuid[] := array(
    select m.id from unnest(ids) m (id)
    left join lateral (
      select md5(string_agg(d.id || d.content_hash, ' ' order by d.turn)) as digest from documents_read(m.id) d) now on true
    left join searched_documents s on s.meeting_id = m.id
    where now.digest is distinct from s.digest);
  one uuid;
begin
  foreach one in array changed loop
    perform cut_documents(one);
  end loop;
  delete from searched_documents where meeting_id = any(changed);
  insert into searched_documents (meeting_id, digest, words)
  select m.id, now.digest, coalesce((
    select tsvector_all(part) from (
      select tsvector_all(strip(p.words)) as part from document_passage p
      where p.meeting_id = m.id group by p.position / 17) parts), '')
  from unnest(changed) m (id), lateral (
    select md5(string_agg(d.id || d.content_hash, ' ' order by d.turn)) as digest from documents_read(m.id) d) now
  where now.digest is not null;
end $$;

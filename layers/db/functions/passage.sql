-- The passages of transcripts, which are stored in blocks of 32 (`passage_block`).

-- The block of a passage. A query that asks for it, too, reads one block and not all of a meeting.
create or replace function block_of("position" int) returns int language sql immutable parallel safe as $$
  select ("position" - 1) / 32
$$;

-- The first passage of a block.
create or replace function first_of(block int) returns int language sql immutable parallel safe as $$
  select 32 * block + 1
$$;

-- The words of each passage, as search finds them. A block is unpacked once for all its passages.
create or replace view passage_vector as
select b.meeting_id, (first_of(b.block) + w.n - 1)::int as position, w.words, b.block
from passage_block b cross join lateral unnest(b.words) with ordinality w (words, n);

-- Each passage whole: its text, its words, and the second at which each position of `words` is said. Each column is
-- unpacked at each mention, so a statement that needs one several times takes it once (`offset 0`).
create or replace view passage as
select b.meeting_id, first_of(b.block) + n - 1 as position, b.texts[n] as text,
  b.starts[coalesce(b.ends[n - 1], 0) + 1 : b.ends[n]] as starts, b.words[n] as words, b.block
from passage_block b cross join lateral generate_subscripts(b.ends, 1) n;

-- A query without the order and distance of its words: a block that does not match this has no passage that matches the
-- query. Lexemes are quoted and contain no spaces.
create or replace function loosened(query tsquery) returns tsquery language sql immutable strict parallel safe as $$
  select regexp_replace(query::text, ' <(-|\d+)> ', ' & ', 'g')::tsquery
$$;

-- Build 140 writes the words of passages, in the order of positions, then their texts in blocks of sixteen, and deletes
-- both before. It reads no `passage_text`. To go, with these triggers, when `oldest_build()` is raised to 142.
create or replace view passage_text as select meeting_id, block, texts, starts, ends from passage_block;

create or replace function write_passage_vector() returns trigger language plpgsql as $$
begin
  insert into passage_block as b (meeting_id, block, words, texts, starts, ends)
  values (new.meeting_id, block_of(new.position), array[new.words], '{}', '{}', '{}')
  on conflict (meeting_id, block) do update set words = b.words || excluded.words;
  return new;
end $$;
create or replace trigger written instead of insert on passage_vector
  for each row execute function write_passage_vector();

create or replace function write_passage_text() returns trigger language plpgsql as $$
begin
  update passage_block b set texts = b.texts || new.texts, starts = b.starts || new.starts,
    ends = b.ends || array(select cardinality(b.starts) + n from unnest(new.ends) n)
  where b.meeting_id = new.meeting_id and b.block = new.block / 2;
  return new;
end $$;
create or replace trigger written instead of insert on passage_text
  for each row execute function write_passage_text();

create or replace function delete_passages() returns trigger language plpgsql as $$
begin
  delete from passage_block where meeting_id = old.meeting_id;
  return old;
end $$;
create or replace trigger deleted instead of delete on passage_vector for each row execute function delete_passages();
create or replace trigger deleted instead of delete on passage_text for each row execute function delete_passages();

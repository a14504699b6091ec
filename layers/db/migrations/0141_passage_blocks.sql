-- The passages of transcripts in blocks of 32, with their words, too: PostgreSQL compresses no row under 2 KB, and a
-- word has one entry in the index for a block where it had one for each passage. `passage_vector` and `passage_text`
-- become views (layers/db/functions/passage.sql) that take what build 140 writes.
-- contracts: oldest_build 140

-- Reads go on while the passages are copied; writes wait. In the order in which writers lock them, and at once: the new
-- reference locks `meeting` too.
lock table meeting, passage_vector, passage_text in share row exclusive mode;

create table passage_block (
  meeting_id uuid not null references meeting on delete cascade,
  -- From 0: the passages from 32 * block + 1 on.
  block int not null,
  words tsvector[] not null,
  texts text[] not null,
  -- The second at which each position of `words` is said, one passage after the other.
  starts real[] not null,
  -- How many of `starts` there are up to the end of each passage.
  ends int[] not null,
  primary key (meeting_id, block)
);
insert into passage_block (meeting_id, block, words, texts, starts, ends)
select v.meeting_id, v.block, v.words, a.texts || b.texts, a.starts || b.starts,
  a.ends || array(select cardinality(a.starts) + n from unnest(b.ends) n)
from (
  select meeting_id, (position - 1) / 32 as block, array_agg(words order by position) as words
  from passage_vector group by 1, 2
) v
-- Two blocks of sixteen.
join passage_text a on a.meeting_id = v.meeting_id and a.block = 2 * v.block
left join passage_text b on b.meeting_id = v.meeting_id and b.block = 2 * v.block + 1
order by v.meeting_id, v.block;

-- What any of a block's passages says.
create function passage_lexemes(words tsvector[]) returns tsvector language sql immutable strict parallel safe as $$
  select array_to_tsvector(array(select distinct l.lexeme from unnest(words) w, unnest(w) l))
$$;
create index passage_block_lexemes on passage_block using gin (passage_lexemes(words));

drop view if exists passage;
drop function if exists write_passage(), delete_passage();
-- What was copied should not be copied again because of one long read.
set local lock_timeout = '1min';
drop table passage_vector;
drop table passage_text;
set local lock_timeout = '1s';

-- The passages of transcripts in two thirds of the space: what search ranks by is apart from what it shows, and that is
-- sixteen passages a row, because PostgreSQL compresses no row under 2 KB. The view `passage` (layers/db/functions)
-- stands where the table stood, and takes what older builds write, so nothing that they use is taken away.
-- contracts: oldest_build 134

-- Reads go on while the passages are copied; writes wait. In the order in which writers lock them, and at once: the new
-- references lock `meeting` too.
lock table meeting, passage in share row exclusive mode;

create table passage_vector (
  meeting_id uuid not null references meeting on delete cascade,
  -- From 1, without gaps: the search index knows a passage by it.
  position int not null,
  words tsvector not null,
  primary key (meeting_id, position)
);
insert into passage_vector (meeting_id, position, words)
select meeting_id, position, words from passage order by meeting_id, position;
create index passage_vector_words on passage_vector using gin (words);

create table passage_text (
  meeting_id uuid not null references meeting on delete cascade,
  -- From 0: the passages from 16 * block + 1 on.
  block int not null,
  texts text[] not null,
  -- The second at which each position of the passages' vectors is said, one passage after the other.
  starts real[] not null,
  -- How many of `starts` there are up to the end of each passage.
  ends int[] not null,
  primary key (meeting_id, block)
);
insert into passage_text (meeting_id, block, texts, starts, ends)
select meeting_id, block, texts, array(
    select s.second from passage p cross join unnest(p.starts) with ordinality s (second, at)
    where p.meeting_id = b.meeting_id and p.position between 16 * block + 1 and 16 * block + 16
    order by p.position, s.at),
  ends
from (
  select meeting_id, block, array_agg(text order by position) as texts, array_agg(counted::int order by position) as ends
  from (
    select *, sum(cardinality(starts)) over (partition by meeting_id, block order by position) as counted
    from (select *, (position - 1) / 16 as block from passage) numbered
  ) p group by meeting_id, block
) b order by meeting_id, block;

-- What was copied should not be copied again because of one long read.
set local lock_timeout = '1min';
drop table passage;
set local lock_timeout = '1s';

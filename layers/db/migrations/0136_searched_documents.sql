-- The words of documents as search finds them: of each held meeting, the pages of the current versions, cut into
-- passages (layers/db/functions/index_documents.sql).

create table document_passage (
  meeting_id uuid not null references meeting on delete cascade,
  -- From 1, without gaps: the search index knows a passage by it.
  position int not null,
  -- Not a reference: the passages of a meeting are replaced together, so that the positions stay without gaps.
  document_id uuid not null,
  page int not null,
  -- The words of the page that it has, from 1.
  first_word int not null,
  last_word int not null,
  words tsvector not null,
  primary key (meeting_id, position)
);
create index document_passage_words on document_passage using gin (words);

-- Which documents of a meeting are searched, and all of their words without positions.
create table searched_documents (
  meeting_id uuid primary key references meeting on delete cascade,
  digest text not null,
  words tsvector not null
);

-- The workers index what was read before.
insert into stale_meeting (meeting_id, briefing)
select distinct d.meeting_id, false from document d join meeting m on m.id = d.meeting_id
where d.version is not null and m.status = 'held' on conflict do nothing;

-- The meeting that has taken a removed one in, because a source listed it twice: its addresses lead there.
alter table removed_meeting add column merged_into uuid references meeting on delete set null;
create index removed_meeting_merged on removed_meeting (merged_into) where merged_into is not null;

-- An operator says that a body is none of those on record: it comes on record as the source names it.
alter table source_body add column is_new boolean not null default false;

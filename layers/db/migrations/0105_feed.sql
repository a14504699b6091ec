-- How readers and caches learn that the record has changed.

-- The events of streams. An event is inserted last in its transaction and under an advisory lock, so that ids become
-- visible in ascending order: a reader who has seen one has missed none before it.
create table feed_event (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('meetings', 'meeting')),
  meeting_id uuid not null,
  event text not null,
  data jsonb not null,
  created_at timestamptz not null
);
create index feed_event_of_meeting on feed_event (meeting_id, id) where channel = 'meeting';

-- Meetings that changed indirectly (through their body's name, or a setting) and have yet to be indexed and announced.
-- `briefing`: whether the change also served or withheld their briefing.
create table stale_meeting (
  meeting_id uuid primary key references meeting on delete cascade,
  briefing boolean not null
);

-- The record's revision, the sum of all rows. Each transaction that changes anything public raises it by one, so an
-- answer computed at a revision is valid until the next. A transaction raises a row that no other is raising, so that
-- writers never wait for each other here; the table grows to the greatest number of simultaneous writers.
create table record_revision (
  slot int primary key generated always as identity,
  raised bigint not null default 0
);
insert into record_revision default values;

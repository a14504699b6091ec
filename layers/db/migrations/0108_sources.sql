-- Sources of meetings, and the runs that complete a place's record.

-- A calendar that is crawled.
create table source (
  id uuid primary key default uuidv7(),
  kind text not null check (kind in ('legistar', 'ical', 'rss', 'json')),
  url text not null,
  place_id int not null references place,
  every interval not null default '6 hours' check (every >= interval '1 minute'),
  -- The time of the next crawl; null pauses the source.
  crawl_at timestamptz default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  crawled_at timestamptz,
  outcome text check (outcome in ('ok', 'failed')),
  -- A message written by us, without any fetched text.
  failure text,
  failing_since timestamptz,
  -- Validators of the calendar's page (ETag, Last-Modified), with which the server can answer that it has not changed.
  etag text,
  last_modified text,
  unique (kind, url),
  check ((crawled_at is null) = (outcome is null)),
  check ((outcome is not distinct from 'failed') = (failing_since is not null))
);
create index source_due on source (crawl_at) where crawl_at is not null;
create index source_place on source (place_id);

-- A body as a source names it, and the body on record it is mapped to.
create table source_body (
  source_id uuid not null references source on delete cascade,
  source_body text not null check (source_body <> ''),
  body_id int references body on delete set null,
  -- The body's stable id in the source, if it has one; it survives a rename.
  external_id text,
  primary key (source_id, source_body)
);
create index source_body_body on source_body (body_id);
create index source_body_external on source_body (source_id, external_id) where external_id is not null;

-- The work of completing one place's record; a place has one open run at a time.
create table completion_run (
  id uuid primary key default uuidv7(),
  place_id int not null references place on delete cascade,
  started_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
create unique index completion_run_open on completion_run (place_id) where ended_at is null;

-- A meeting that a source lists. Its id is kept when it is imported, so importing is idempotent.
create table discovered (
  id uuid primary key default uuidv7(),
  source_id uuid not null references source on delete cascade,
  source_body text not null,
  external_id text not null,
  title text not null check (title <> ''),
  date date not null,
  starts_at timestamptz,
  timezone text not null,
  status text not null default 'held' check (status in ('upcoming', 'held', 'cancelled')),
  source_url text,
  agenda_url text,
  video_url text,
  -- The presumed body on record, until somebody maps the source's body.
  same_as int references body on delete set null,
  imported_at timestamptz,
  seen_at timestamptz not null default clock_timestamp(),
  location text,
  join_url text,
  minutes_url text,
  captions_url text,
  -- When the source was found to have dropped the meeting without cancelling it.
  withdrawn_at timestamptz,
  -- The address of the agenda's items as data.
  items_url text,
  -- The same meeting on record under an earlier id, if another source brought it first: that id stays, because readers
  -- know it.
  same_meeting uuid references meeting on delete set null,
  unique (source_id, external_id),
  foreign key (source_id, source_body) references source_body on delete cascade
);
create index discovered_open on discovered (source_id, date desc, id) where imported_at is null;
create index discovered_imported on discovered (source_id, date) where imported_at is not null;
create index discovered_body on discovered (source_id, source_body);
create index discovered_same_as on discovered (same_as);
create index discovered_same_meeting on discovered (same_meeting) where same_meeting is not null;

-- A body that a place is thought to have and the record lacks, with its calendar's possible address and the result of
-- probing it.
create table candidate (
  id uuid primary key default uuidv7(),
  place_id int not null references place on delete cascade,
  name text not null check (name <> ''),
  kind text not null,
  url text not null,
  filed_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  probed_at timestamptz,
  calendar text,
  bodies text[],
  meetings int,
  failure text,
  unique (place_id, url),
  constraint candidate_finding check (
    num_nonnulls(calendar, failure) = num_nonnulls(probed_at)
    and num_nonnulls(bodies, meetings) = 2 * num_nonnulls(calendar))
);

-- When any machine may next request a page from a host.
create table host_pace (
  host text primary key,
  next_at timestamptz not null,
  -- Start of the current streak of answers asking us to back off.
  held_since timestamptz
);

-- Meetings, their counts, and everything that belongs to one meeting.

create table meeting (
  id uuid primary key,
  -- Set by trigger: the leading 8 hex digits of the id, or more where two would collide (contract section 3).
  short_id text not null unique check (short_id ~ '^[0-9a-f]{8,32}$'),
  body_id int not null references body,
  title text not null check (title <> ''),
  date date not null,
  year smallint not null generated always as (extract(year from date)) stored,
  starts_at timestamptz,
  timezone text not null,
  status text not null check (status in ('upcoming', 'held', 'cancelled')),
  duration numeric(10, 3) check (duration >= 0),
  source_url text,
  agenda_url text,
  updated_at timestamptz not null,
  content_hash text not null,
  location text,
  join_url text,
  minutes_url text,
  video_url text,
  -- [{ title, url }], in the order of the source.
  attachments jsonb not null default '[]'
);
create index meeting_held_newest on meeting (date desc, id) where status = 'held';
create index meeting_body_newest on meeting (body_id, date desc, id) where status = 'held';
create index meeting_to_come on meeting (date, body_id, id) where status <> 'held';
-- For checking whether a body has a meeting that was not held; held meetings are counted instead.
create index meeting_body_to_come on meeting (body_id) where status <> 'held';
-- A feed starts with the latest change.
create index meeting_held_updated on meeting (updated_at desc, id) where status = 'held';

-- Held meetings by body and year, and by body: without a query, every count in browse is a sum of these. The directory
-- reads the second, because after twenty years the first has twenty times as many rows as there are bodies.
create table held_count (
  body_id int not null references body on delete cascade,
  year smallint not null,
  held int not null check (held >= 0),
  primary key (body_id, year)
);
create table body_held (
  body_id int primary key references body on delete cascade,
  held int not null check (held >= 0)
);

-- Tombstones of meetings taken off the record: enough to answer at their old addresses and to notify mirrors, and
-- nothing of their content.
create table removed_meeting (
  id uuid primary key,
  short_id text not null unique check (short_id ~ '^[0-9a-f]{8,32}$'),
  slug text not null,
  -- Null if the reason may not be published.
  reason text check (reason <> ''),
  removed_at timestamptz not null
);
create index removed_meeting_newest on removed_meeting (removed_at, id);
-- Keys of objects in the media store whose meeting is gone.
create table removed_media (key text primary key);
-- Import lines undone by a `removed` line, by fingerprint (content_hash), so that importing the bundle again does not
-- restore them only to remove them again. A row is deleted once its subject (a meeting's id or a body's slug) is on
-- record again. `removed` lines for transcripts and bodies, which leave no tombstone, are stored too.
create table withdrawn_line (content_hash text primary key, subject text not null);
create index withdrawn_line_subject on withdrawn_line (subject);

create table agenda_item (
  id uuid not null,
  meeting_id uuid not null references meeting on delete cascade,
  position int not null,
  number text,
  title text not null,
  description text,
  outcome text,
  start numeric(10, 3) check (start >= 0),
  words tsvector not null generated always as (search_vector(coalesce(number || ' ', '') || title)) stored,
  described tsvector not null generated always as (search_vector(coalesce(left(description, 4000), ''))) stored,
  primary key (meeting_id, id),
  unique (meeting_id, position) deferrable initially deferred
);
create table chapter (
  meeting_id uuid not null references meeting on delete cascade,
  position int not null,
  title text not null,
  start numeric(10, 3) not null check (start >= 0),
  "end" numeric(10, 3) not null,
  words tsvector not null generated always as (search_vector(title)) stored,
  primary key (meeting_id, position),
  check ("end" >= start)
);
create table clip (
  id uuid primary key,
  meeting_id uuid not null references meeting on delete cascade,
  title text not null,
  start numeric(10, 3) not null check (start >= 0),
  "end" numeric(10, 3) not null,
  agenda_item_id uuid,
  state text not null check (state in ('published', 'proposal', 'dismissed', 'alternate')),
  content_hash text not null,
  check ("end" > start),
  foreign key (meeting_id, agenda_item_id) references agenda_item (meeting_id, id) on delete set null (agenda_item_id)
);
create index clip_meeting on clip (meeting_id, start, id);
create index clip_agenda_item on clip (meeting_id, agenda_item_id);

create table transcript (
  meeting_id uuid not null references meeting on delete cascade,
  version text not null check (version in ('refined', 'raw')),
  language text not null,
  generator text,
  duration numeric(10, 3) not null check (duration >= 0),
  word_count int not null check (word_count >= 0),
  content_hash text not null,
  -- A recognizer's raw output; the refined version has home addresses removed.
  withheld boolean not null default false,
  -- Compressed by the writer (layers/db/packed-text.ts). No statement reads inside it, and having PostgreSQL parse and
  -- compress it as JSON was a quarter of an import's cost.
  segments bytea storage external not null,
  primary key (meeting_id, version),
  constraint only_raw_withheld check (not withheld or version = 'raw')
);
comment on column transcript.segments is 'A JSON array of segments in UTF-8, compressed with Zstandard.';
-- Passages of the transcript, in which search finds moments. Parsing is most of the cost of indexing a text, so the
-- import computes `words` once per distinct word (src/services/meetings/passage-vectors.ts).
create table passage (
  meeting_id uuid not null references meeting on delete cascade,
  position int not null,
  text text not null,
  starts real[] not null,
  words tsvector not null,
  primary key (meeting_id, position)
);
comment on column passage.starts is 'The second at which each position of words is said.';
create index passage_words on passage using gin (words);
-- Speakers, so that search finds them by `speaker:` and by plain name. One row per name in the published transcript,
-- with the second at which it first speaks. A recognizer's labels for unknown voices (`Speaker 2`, `SPEAKER_00`) are
-- not names.
create table transcript_speaker (
  meeting_id uuid not null,
  version text not null,
  name text not null,
  start real not null,
  -- Names are neither stemmed nor stripped of stop words: somebody may be named Will.
  words tsvector not null generated always as (to_tsvector('simple', fold(name))) stored,
  primary key (meeting_id, name),
  foreign key (meeting_id, version) references transcript on delete cascade
);
create index transcript_speaker_words on transcript_speaker using gin (words);

create table briefing (
  meeting_id uuid primary key references meeting on delete cascade,
  generator text,
  published_at timestamptz not null,
  -- A hash of the briefing as written, without the claim ids in its parts.
  content_hash text not null,
  -- The briefing as written. A check never changes its text, only the claim ids in its parts.
  written jsonb not null,
  -- The briefing as served (src/text/served-briefing.ts); null while it is pending.
  served jsonb,
  -- Whether `served` depends on the setting pipeline.ClaimCheck.
  follows_setting boolean not null default true,
  -- Stored apart, so that cards need not read the rest.
  headline text generated always as (served ->> 'headline') stored
);
create table claims (
  meeting_id uuid primary key references meeting on delete cascade,
  content_hash text not null,
  -- The version of the rules and, if a model was available, of the prompt: "rules-1 verify-1". Null for imported
  -- claims.
  checked_by text
);
create table claim (
  id uuid primary key,
  meeting_id uuid not null references claims on delete cascade,
  position int not null,
  topic text not null,
  text text not null,
  verdict text check (verdict in ('supported', 'unsupported', 'contradicted')),
  evidence jsonb not null,
  checked_at timestamptz,
  unique (meeting_id, position) deferrable initially deferred,
  check ((verdict is null) = (checked_at is null))
);
create table recap (
  meeting_id uuid primary key references meeting on delete cascade,
  headline text not null,
  summary text not null,
  decisions jsonb not null,
  content_hash text not null
);
create table agenda_summary (
  meeting_id uuid primary key references meeting on delete cascade,
  items jsonb not null,
  content_hash text not null
);

create table figure (
  id uuid primary key,
  meeting_id uuid not null references meeting on delete cascade,
  title text not null,
  alt text not null,
  content_hash text not null
);
create index figure_meeting on figure (meeting_id, id);
create table media (
  key text primary key,
  meeting_id uuid not null references meeting on delete cascade,
  role text not null check (role in ('source', 'rendition', 'poster', 'agenda', 'figure', 'clip')),
  subject uuid,
  media_type text not null,
  bytes bigint not null check (bytes >= 0),
  width int,
  height int,
  duration numeric(10, 3),
  content_hash text not null,
  check ((subject is not null) = (role in ('figure', 'clip')))
);
create unique index media_of_meeting on media (meeting_id, role, subject) nulls not distinct;

-- The parts of a meeting that the pipeline made, with their stage, prompt and model. `mark` identifies the part's state
-- when it was made: a part in any other state has been imported since, and is left alone.
create table made_part (
  meeting_id uuid not null references meeting on delete cascade,
  part text not null,
  generator text not null,
  mark text not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (meeting_id, part)
);

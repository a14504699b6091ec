-- What was fetched of a meeting from its source, and from where: how a later look tells that it has changed.
create table fetched_part (
  meeting_id uuid not null references meeting on delete cascade,
  part text not null check (part in ('agenda', 'items', 'captions', 'recording')),
  address text not null,
  -- The server's validators, if it gave any.
  etag text,
  last_modified text,
  -- The length, and the SHA-256 in hexadecimal; null if nothing fit to be kept was there.
  bytes bigint check (bytes >= 0),
  digest text,
  -- The part as it was put on record. If the record has another one now, it was imported since, and it stands.
  mark text,
  -- When what is on record was first fetched.
  fetched_at timestamptz,
  -- When its address was last asked.
  checked_at timestamptz not null,
  primary key (meeting_id, part),
  check (num_nonnulls(bytes, digest, mark, fetched_at) in (0, 4))
);

-- What was replaced, with when.
create table part_version (
  id uuid primary key default uuidv7(),
  meeting_id uuid not null references meeting on delete cascade,
  part text not null check (part in ('agenda', 'items', 'captions', 'recording')),
  address text not null,
  etag text,
  bytes bigint not null check (bytes >= 0),
  digest text not null,
  fetched_at timestamptz not null,
  replaced_at timestamptz not null,
  -- The object in the store that still has it: of an agenda, its file. Recordings and captions are not kept twice.
  key text,
  -- Of a list of items: the list, and how many items were added, removed and renamed.
  items jsonb,
  changes jsonb
);
create index part_version_meeting on part_version (meeting_id, replaced_at);

-- When its agenda was last amended, after it had been fetched once.
alter table meeting add column agenda_changed_at timestamptz;
-- The fields that an operator corrected: crawls leave them alone.
alter table meeting add column corrected text[] not null default '{}';

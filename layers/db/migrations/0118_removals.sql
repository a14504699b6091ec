-- Every word taken out of a transcript that was refined here, for operators to judge (src/services/making/removals.ts).
create table removal (
  id uuid primary key default uuidv7(),
  meeting_id uuid not null,
  version text not null default 'refined' check (version = 'refined'),
  kind text not null check (kind in ('home', 'box', 'phone', 'email', 'other')),
  -- The rule that found the words; `operator` where a person took them out.
  rule text not null,
  start numeric(10, 3) not null check (start >= 0),
  "end" numeric(10, 3) not null,
  -- [{ segment, from, to }]: characters of the lines as they were before anything was taken out of them.
  parts jsonb not null,
  -- The words, for operators alone; null once they are no longer kept.
  kept jsonb,
  state text not null check (state in ('removed', 'restored', 'added')),
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz not null,
  foreign key (meeting_id, version) references transcript on delete cascade,
  check ("end" >= start),
  check ((state = 'removed') = (decided_by is null)),
  check ((decided_by is null) = (decided_at is null))
);
create index removal_meeting on removal (meeting_id, start);
create index removal_newest on removal (created_at desc, id desc);

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Where meetings come from, and the runs that make a place's record whole. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Operators address a place by an id that, unlike its slug, says nothing and is never reused.
  yield* sql`alter table place add column uuid uuid not null unique default uuidv7()`

  // A calendar that is crawled. `crawl_at` is when it is due next; null pauses it.
  yield* sql`
    create table source (
      id uuid primary key default uuidv7(),
      kind text not null check (kind in ('legistar', 'ical', 'rss', 'json')),
      url text not null,
      place_id int not null references place,
      every interval not null default '6 hours' check (every >= interval '1 minute'),
      crawl_at timestamptz default clock_timestamp(),
      created_at timestamptz not null default clock_timestamp(),
      crawled_at timestamptz,
      outcome text check (outcome in ('ok', 'failed')),
      -- One line of ours, and nothing that was fetched.
      failure text,
      failing_since timestamptz,
      unique (kind, url),
      check ((crawled_at is null) = (outcome is null)),
      check ((outcome is not distinct from 'failed') = (failing_since is not null))
    )`
  yield* sql`create index source_due on source (crawl_at) where crawl_at is not null`
  yield* sql`create index source_place on source (place_id)`

  // A body as a source names it, and which of ours it is; none until it is mapped.
  yield* sql`
    create table source_body (
      source_id uuid not null references source on delete cascade,
      source_body text not null check (source_body <> ''),
      body_id int references body on delete set null,
      primary key (source_id, source_body)
    )`
  yield* sql`create index source_body_body on source_body (body_id)`

  // The work of making one place's record whole; a place has one open run at a time.
  yield* sql`
    create table completion_run (
      id uuid primary key default uuidv7(),
      place_id int not null references place on delete cascade,
      started_by text not null,
      created_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz
    )`
  yield* sql`create unique index completion_run_open on completion_run (place_id) where ended_at is null`

  // A meeting that a source shows. Its id is the one that the meeting gets when it is imported, so importing it twice is
  // importing it once. `same_as` is the body on record that its body is taken for until somebody maps it.
  yield* sql`
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
      same_as int references body on delete set null,
      imported_at timestamptz,
      seen_at timestamptz not null default clock_timestamp(),
      unique (source_id, external_id),
      foreign key (source_id, source_body) references source_body on delete cascade
    )`
  yield* sql`create index discovered_open on discovered (source_id, date desc, id) where imported_at is null`
  yield* sql`create index discovered_body on discovered (source_id, source_body)`
  yield* sql`create index discovered_same_as on discovered (same_as)`

  // A body that a place is thought to have and the record has not, with where its calendar may be.
  yield* sql`
    create table candidate (
      id uuid primary key default uuidv7(),
      place_id int not null references place on delete cascade,
      name text not null check (name <> ''),
      kind text not null,
      url text not null,
      filed_by text not null,
      created_at timestamptz not null default clock_timestamp(),
      unique (place_id, url)
    )`

  // A flow can be about a source (its crawl) or a run (looking at what was filed for its place).
  yield* sql`
    alter table flow
      add column source_id uuid references source on delete cascade,
      add column run_id uuid references completion_run on delete cascade`
  yield* sql`
    alter table flow alter column subject
      set expression as (coalesce(meeting_id, user_clip_id, clip_id, source_id, run_id))`
  yield* sql`alter table flow drop constraint flow_check`
  yield* sql`
    alter table flow add constraint flow_one_subject
      check (num_nonnulls(meeting_id, user_clip_id, clip_id, source_id, run_id) <= 1)`
  // Whether a flow is its subject's newest, which decides whether its failures still matter.
  yield* sql`create index flow_subject on flow (subject, kind, created_at desc)`
  yield* sql`create index flow_source on flow (source_id, created_at desc) where source_id is not null`
  yield* sql`create index flow_run on flow (run_id, created_at desc) where run_id is not null`
})

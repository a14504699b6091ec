import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Readers: accounts with their sessions, grants to one meeting, clips that readers cut, and the feed of changes. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table account (
      id uuid primary key default gen_random_uuid(),
      email text not null check (email <> ''),
      name text,
      created_at timestamptz not null
    )`
  yield* sql`create unique index account_email on account (lower(email))`

  // Tokens are stored as their SHA-256, so that nobody can sign in with what is in the table.
  yield* sql`
    create table session (
      token_hash bytea primary key check (length(token_hash) = 32),
      account_id uuid not null references account on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`
  yield* sql`create index session_account on session (account_id)`
  yield* sql`create index session_expiry on session (expires_at)`

  yield* sql`
    create table share_grant (
      id uuid primary key,
      meeting_id uuid not null references meeting on delete cascade,
      account_id uuid not null references account on delete cascade,
      token_hash bytea not null unique check (length(token_hash) = 32),
      created_at timestamptz not null,
      expires_at timestamptz not null,
      redeemed_at timestamptz,
      cookie_hash bytea unique check (length(cookie_hash) = 32),
      check ((redeemed_at is null) = (cookie_hash is null))
    )`
  yield* sql`create index share_grant_meeting on share_grant (meeting_id)`
  yield* sql`create index share_grant_account on share_grant (account_id)`
  yield* sql`create index share_grant_expiry on share_grant (expires_at)`
  yield* sql`
    create table recorded_share (
      id bigint generated always as identity primary key,
      account_id uuid not null references account on delete cascade,
      meeting_id uuid not null references meeting on delete cascade,
      channel text not null check (channel in ('link', 'email', 'sms', 'native')),
      created_at timestamptz not null
    )`
  yield* sql`create index recorded_share_account on recorded_share (account_id)`
  yield* sql`create index recorded_share_meeting on recorded_share (meeting_id)`

  yield* sql`
    create table user_clip (
      id uuid primary key,
      slug text not null unique,
      account_id uuid not null references account on delete cascade,
      meeting_id uuid not null references meeting on delete cascade,
      title text,
      start numeric(10, 3) not null check (start >= 0),
      "end" numeric(10, 3) not null,
      state text not null check (state in ('rendering', 'ready', 'failed')),
      failure text,
      created_at timestamptz not null,
      ready_at timestamptz,
      shares int not null default 0,
      visits int not null default 0,
      check ("end" > start and "end" - start <= 300),
      check ((state = 'ready') = (ready_at is not null)),
      check ((state = 'failed') = (failure is not null))
    )`
  yield* sql`create index user_clip_meeting on user_clip (meeting_id, created_at, id)`
  yield* sql`create index user_clip_account on user_clip (account_id, meeting_id)`

  // The events of streams. An event is inserted last in its transaction and under the lock below, so that ids become visible
  // in ascending order: a reader who has seen one has missed none before it.
  yield* sql`
    create table feed_event (
      id bigint generated always as identity primary key,
      channel text not null check (channel in ('meetings', 'meeting')),
      meeting_id uuid not null,
      event text not null,
      data jsonb not null,
      created_at timestamptz not null
    )`
  yield* sql`create index feed_event_of_meeting on feed_event (meeting_id, id) where channel = 'meeting'`
  yield* sql`
    create function announce_feed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('feed', '');
      return null;
    end $$`
  yield* sql`create trigger feed_announced after insert on feed_event for each statement execute function announce_feed()`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What is written about a meeting: its briefing with the checked claims, its recap and its agenda summary. */
export const briefings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table briefing (
      meeting_id uuid primary key references meeting on delete cascade,
      headline text not null,
      content jsonb not null,
      generator text,
      published_at timestamptz not null,
      content_hash text not null
    )`
  yield* sql`
    create table claims (
      meeting_id uuid primary key references meeting on delete cascade,
      content_hash text not null
    )`
  yield* sql`
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
    )`
  yield* sql`
    create table setting (
      name text primary key,
      value jsonb not null,
      updated_at timestamptz not null
    )`

  // A briefing is pending while the claim check is enabled and verdicts have not landed (spec section 3).
  yield* sql`
    create view published_briefing as
    select b.* from briefing b
    where coalesce((select value = 'false' from setting where name = 'pipeline.ClaimCheck'), false)
      or (exists (select from claims c where c.meeting_id = b.meeting_id)
        and not exists (select from claim c where c.meeting_id = b.meeting_id and c.verdict is null))`

  yield* sql`
    create table recap (
      meeting_id uuid primary key references meeting on delete cascade,
      headline text not null,
      summary text not null,
      decisions jsonb not null,
      content_hash text not null
    )`
  yield* sql`
    create table agenda_summary (
      meeting_id uuid primary key references meeting on delete cascade,
      items jsonb not null,
      content_hash text not null
    )`
})

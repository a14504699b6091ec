import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What is to be mailed: recaps that are owed to who follows, what searches have seen, and mails on their way out. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table email_pref alter column saved_searches set default 'daily'`

  // A long query is longer than an index takes.
  yield* sql`alter table saved_search drop constraint saved_search_account_id_query_key`
  yield* sql`create unique index saved_search_query on saved_search (account_id, md5(query))`

  // What a search found when it was saved is no news; what it found since is in `mailed`.
  yield* sql`alter table saved_search add column seen uuid[] not null default '{}'`

  // Meetings whose recap has been seen to be ready, and when: what follows see is settled at that moment, once.
  yield* sql`
    create table recap_ready (
      meeting_id uuid primary key references meeting on delete cascade,
      ready_at timestamptz not null
    )`
  yield* sql`
    create table recap_owed (
      account_id uuid not null references account on delete cascade,
      meeting_id uuid not null references recap_ready on delete cascade,
      primary key (account_id, meeting_id)
    )`
  yield* sql`create index recap_owed_meeting on recap_owed (meeting_id)`

  // A mail from the moment that it is claimed until a server has taken it; what it says is written when it is sent.
  yield* sql`
    create table outgoing_mail (
      id uuid primary key,
      position bigint not null generated always as identity,
      account_id uuid not null references account on delete cascade,
      list text not null check (list in ('recaps', 'saved_searches')),
      content jsonb not null,
      created_at timestamptz not null,
      tries int not null default 0,
      next_try_at timestamptz not null
    )`
  yield* sql`create index outgoing_mail_next on outgoing_mail (next_try_at, position)`
  yield* sql`create index outgoing_mail_account on outgoing_mail (account_id)`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Outgoing mail: recaps owed to followers, what searches have already seen, and mails in transit. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table email_pref alter column saved_searches set default 'daily'`

  // A long query does not fit into an index.
  yield* sql`alter table saved_search drop constraint saved_search_account_id_query_key`
  yield* sql`create unique index saved_search_query on saved_search (account_id, md5(query))`

  // Meetings that a search found when it was saved are not news; those it has found since are in `mailed`.
  yield* sql`alter table saved_search add column seen uuid[] not null default '{}'`

  // Meetings whose recap was found ready, and when: who is to get it is decided once, at that moment.
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

  // A mail from the moment it is claimed until a server has accepted it; its text is written when it is sent.
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

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Accounts and what they own: sign-ins, follows, preferences, saved searches, and what was mailed to them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table account add column phone text, add column password_hash text`

  // One account per verified e-mail address; each provider identifies its readers by its own subject.
  yield* sql`
    create table identity (
      issuer text not null,
      subject text not null,
      account_id uuid not null references account on delete cascade,
      created_at timestamptz not null,
      primary key (issuer, subject)
    )`
  yield* sql`create index identity_account on identity (account_id)`

  // A sign-in in progress: valid once, for ten minutes, in the browser that began it.
  yield* sql`
    create table sign_in (
      state_hash bytea primary key check (length(state_hash) = 32),
      browser_hash bytea not null check (length(browser_hash) = 32),
      provider text not null,
      nonce text not null,
      code_verifier text not null,
      return_to text not null,
      expires_at timestamptz not null
    )`
  yield* sql`create index sign_in_expiry on sign_in (expires_at)`

  yield* sql`
    create table email_change (
      account_id uuid primary key references account on delete cascade,
      email text not null,
      code_hash bytea not null check (length(code_hash) = 32),
      tries int not null default 0,
      expires_at timestamptz not null
    )`

  yield* sql`
    create table followed_body (
      account_id uuid not null references account on delete cascade,
      body_id int not null references body on delete cascade,
      primary key (account_id, body_id)
    )`
  yield* sql`create index followed_body_body on followed_body (body_id)`
  yield* sql`
    create table followed_place (
      account_id uuid not null references account on delete cascade,
      place_id int not null references place on delete cascade,
      primary key (account_id, place_id)
    )`
  yield* sql`create index followed_place_place on followed_place (place_id)`

  yield* sql`
    create table email_pref (
      account_id uuid primary key references account on delete cascade,
      recaps text not null default 'off' check (recaps in ('each', 'daily', 'weekly', 'off')),
      saved_searches text not null default 'off' check (saved_searches in ('daily', 'weekly', 'off')),
      timezone text not null default 'America/Chicago'
    )`

  // The query is the part of a browse address after its question mark, without page and size.
  yield* sql`
    create table saved_search (
      id uuid primary key,
      account_id uuid not null references account on delete cascade,
      name text not null,
      query text not null,
      created_at timestamptz not null,
      seen_until timestamptz not null,
      unique (account_id, query)
    )`

  // Which mails went to whom: a recap, or a meeting that a saved search found, is mailed once.
  yield* sql`
    create table mailed (
      account_id uuid not null references account on delete cascade,
      kind text not null check (kind in ('recap', 'saved_search')),
      subject uuid not null,
      meeting_id uuid not null references meeting on delete cascade,
      mailed_at timestamptz not null,
      primary key (account_id, kind, subject, meeting_id)
    )`
  yield* sql`create index mailed_meeting on mailed (meeting_id)`
})

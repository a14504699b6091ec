import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who operates the service by program, and what operators changed. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A machine's token. With a run it may complete that run; without one it only reads. Tokens that are revoked stay, so
  // that the history can say whose they were.
  yield* sql`
    create table agent_token (
      id uuid primary key default uuidv7(),
      machine text not null check (machine <> ''),
      token_hash bytea not null unique,
      run_id uuid references completion_run on delete cascade,
      created_by text not null,
      created_at timestamptz not null default clock_timestamp(),
      last_used_at timestamptz,
      revoked_at timestamptz
    )`
  yield* sql`create index agent_token_run on agent_token (run_id) where run_id is not null`

  // What was done under a run. Without foreign keys: a line outlives the token, the run and the task that it is about.
  yield* sql`
    create table completion_audit (
      id bigint generated always as identity primary key,
      at timestamptz not null default clock_timestamp(),
      run_id uuid not null,
      token_id uuid,
      machine text not null,
      operation text not null,
      subject text not null,
      -- False where the request had been done before.
      changed boolean not null,
      detail jsonb not null default '{}',
      task_id uuid
    )`
  yield* sql`create index completion_audit_run on completion_audit (run_id, id)`
  yield* sql`create index completion_audit_at on completion_audit (at)`

  // Each change of a setting; null before it was first set.
  yield* sql`
    create table setting_change (
      id bigint generated always as identity primary key,
      at timestamptz not null default clock_timestamp(),
      name text not null,
      before jsonb,
      after jsonb not null,
      changed_by text not null
    )`
  yield* sql`create index setting_change_name on setting_change (name, id)`
  yield* sql`create index setting_change_at on setting_change (at)`
})

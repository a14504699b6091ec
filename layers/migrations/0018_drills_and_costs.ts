import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Rehearsals, and what work on the record costs. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The token is part of the addresses at which the made-up body's schedule and meeting are served. The report is ours.
  yield* sql`
    create table drill (
      id uuid primary key default uuidv7(),
      token text not null unique,
      state text not null default 'running' check (state in ('running', 'passed', 'failed')),
      flow_id uuid references flow on delete set null,
      started_by text not null,
      started_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      report jsonb not null default '{}',
      check ((state = 'running') = (ended_at is null))
    )`
  yield* sql`create index drill_flow on drill (flow_id)`

  // The task that made the call. Without foreign keys: what was spent stays spent when the task or the meeting goes.
  yield* sql`
    alter table model_usage
      add column task_id uuid,
      add column meeting_id uuid,
      add column stage text,
      add column provider text`
  yield* sql`create index model_usage_task on model_usage (task_id) where task_id is not null`
  yield* sql`create index model_usage_meeting on model_usage (meeting_id) where meeting_id is not null`
})

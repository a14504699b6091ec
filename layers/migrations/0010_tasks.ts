import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The pipeline: what is to be done (flows of tasks), who does it (workers), how much at a time (lanes), and its log. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // All times but the log's are the database's, the one clock that every worker shares.
  yield* sql`
    create table worker (
      id uuid primary key,
      host text not null,
      pid int not null,
      build text not null,
      stages text[] not null,
      jobs int not null check (jobs > 0),
      started_at timestamptz not null default clock_timestamp(),
      seen_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      ended_how text check (ended_how in ('stopped', 'silent')),
      check ((ended_at is null) = (ended_how is null))
    )`

  // What is scarce together, and how many tasks may use it at a time, on all machines together; 0 pauses the lane.
  // ffmpeg is limited by the machine that runs it (a worker's jobs), so the media lane only bounds the whole.
  yield* sql`create table lane (name text primary key, at_once int not null check (at_once >= 0))`
  yield* sql`
    insert into lane (name, at_once) values ('local', 16), ('media', 64), ('model', 4), ('speech', 2), ('web', 8)`

  // When a host may next be asked for a page, by whichever machine.
  yield* sql`create table host_pace (host text primary key, next_at timestamptz not null)`

  // What is to be done for one subject. Its row is the lock under which tasks of the flow settle. A flow goes with its
  // subject, so what is deleted is never worked on. A failed flow has nothing left that can run.
  yield* sql`
    create table flow (
      id uuid primary key default uuidv7(),
      kind text not null,
      meeting_id uuid references meeting on delete cascade,
      user_clip_id uuid references user_clip on delete cascade,
      clip_id uuid references clip on delete cascade,
      subject uuid generated always as (coalesce(meeting_id, user_clip_id, clip_id)) stored,
      state text not null default 'open' check (state in ('open', 'done', 'failed', 'cancelled')),
      traceparent text,
      created_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      check (num_nonnulls(meeting_id, user_clip_id, clip_id) <= 1),
      check ((state = 'open') = (ended_at is null))
    )`
  // Adding a flow that is already open for its subject does nothing.
  yield* sql`create unique index flow_once on flow (kind, subject) where state = 'open'`
  yield* sql`create index flow_meeting on flow (meeting_id, kind, created_at desc) where meeting_id is not null`
  yield* sql`create index flow_user_clip on flow (user_clip_id) where user_clip_id is not null`
  yield* sql`create index flow_clip on flow (clip_id) where clip_id is not null`
  yield* sql`create index flow_ended on flow (ended_at) where ended_at is not null`

  // One stage of a flow. Each claim has an id of its own, without which nothing can be settled.
  yield* sql`
    create table task (
      id uuid primary key default uuidv7(),
      flow_id uuid not null references flow on delete cascade,
      stage text not null,
      lane text not null references lane,
      priority int not null default 0,
      state text not null check (state in ('blocked', 'waiting', 'running', 'done', 'failed', 'cancelled')),
      attempts int not null default 0 check (attempts >= 0),
      due_at timestamptz not null default clock_timestamp(),
      progress real not null default 0 check (progress between 0 and 1),
      claim uuid,
      held_by uuid references worker,
      started_at timestamptz,
      ended_at timestamptz,
      failure text,
      unique (flow_id, stage),
      check ((state = 'running') = (held_by is not null)),
      check ((held_by is null) = (claim is null))
    )`
  yield* sql`create index task_due on task (lane, priority desc, due_at, flow_id) where state = 'waiting'`
  yield* sql`create index task_running on task (lane) where state = 'running'`
  yield* sql`create index task_held on task (held_by) where held_by is not null`
  yield* sql`create index task_failed on task (ended_at desc) where state = 'failed'`

  yield* sql`
    create table task_event (
      id bigint generated always as identity primary key,
      task_id uuid not null references task on delete cascade,
      at timestamptz not null default clock_timestamp(),
      kind text not null,
      worker_id uuid,
      detail text
    )`
  yield* sql`create index task_event_task on task_event (task_id, id)`

  // What workers log. It has no foreign keys: a line outlives the task, the worker and the meeting that it is about.
  yield* sql`
    create table pipeline_log (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      source text not null,
      level text not null check (level in ('trace', 'debug', 'info', 'warn', 'error', 'fatal')),
      worker_id uuid,
      meeting_id uuid,
      task_id uuid,
      message text not null,
      fields jsonb not null default '{}'
    )`
  for (const column of ["worker_id", "meeting_id", "task_id"]) {
    yield* sql`
      create index ${sql(`pipeline_log_${column}`)} on pipeline_log (${sql(column)}, id) where ${sql(column)} is not null`
  }
  yield* sql`create index pipeline_log_at on pipeline_log (at)`

  // Clips that still wait to be rendered become flows of one task; their workers begin anew.
  yield* sql`
    with moved as (
      insert into flow (kind, user_clip_id, clip_id, created_at)
      select 'clip', user_clip_id, clip_id, created_at from render_job order by created_at, id
      returning id, subject)
    insert into task (flow_id, stage, lane, priority, state, attempts, due_at)
    select moved.id, 'clip', 'media', 10, 'waiting', job.attempts, job.due_at
    from moved join render_job job on coalesce(job.user_clip_id, job.clip_id) = moved.subject`
  yield* sql`drop table render_job`
  yield* sql`drop function announce_render_job()`
})

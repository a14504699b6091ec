-- The pipeline: its work (flows of tasks), its workers, their concurrency limits (lanes), its log and its costs. All
-- times but the log's are the database's, the one clock that every worker shares.

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
);

-- Limited resources, with the most tasks that may use each at a time across all machines; 0 pauses the lane. ffmpeg is
-- limited by the machine that runs it (a worker's jobs), so the media lane only bounds the total.
create table lane (name text primary key, at_once int not null check (at_once >= 0));
insert into lane (name, at_once) values ('local', 16), ('media', 64), ('model', 4), ('speech', 2), ('web', 8);

-- The work on one subject. Its row is the lock under which the flow's tasks settle. A flow is deleted with its subject,
-- so no task works on a deleted one. A failed flow has no task left that can run.
create table flow (
  id uuid primary key default uuidv7(),
  kind text not null,
  meeting_id uuid references meeting on delete cascade,
  user_clip_id uuid references user_clip on delete cascade,
  clip_id uuid references clip on delete cascade,
  subject uuid generated always as (coalesce(meeting_id, user_clip_id, clip_id, source_id, run_id)) stored,
  state text not null default 'open' check (state in ('open', 'done', 'failed', 'cancelled')),
  traceparent text,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  source_id uuid references source on delete cascade,
  run_id uuid references completion_run on delete cascade,
  constraint flow_one_subject check (num_nonnulls(meeting_id, user_clip_id, clip_id, source_id, run_id) <= 1),
  check ((state = 'open') = (ended_at is null))
);
-- Adding a flow that is already open for its subject does nothing.
create unique index flow_once on flow (kind, subject) where state = 'open';
-- Whether a flow is its subject's newest; only then do its failures still matter.
create index flow_subject on flow (subject, kind, created_at desc);
create index flow_meeting on flow (meeting_id, kind, created_at desc) where meeting_id is not null;
create index flow_user_clip on flow (user_clip_id) where user_clip_id is not null;
create index flow_clip on flow (clip_id) where clip_id is not null;
create index flow_source on flow (source_id, created_at desc) where source_id is not null;
create index flow_run on flow (run_id, created_at desc) where run_id is not null;
create index flow_ended on flow (ended_at) where ended_at is not null;

-- One stage of a flow. Each claim has its own id, which every settlement must present.
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
);
create index task_due on task (lane, priority desc, due_at, flow_id) where state = 'waiting';
create index task_running on task (lane) where state = 'running';
create index task_held on task (held_by) where held_by is not null;
create index task_failed on task (ended_at desc) where state = 'failed';

create table task_event (
  id bigint generated always as identity primary key,
  task_id uuid not null references task on delete cascade,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  worker_id uuid,
  detail text
);
create index task_event_task on task_event (task_id, id);

-- The finished pieces of a stage's work, so that a worker that takes it over does not pay for them again. `key` is a
-- hash of all of a piece's inputs. The stage deletes its pieces when it is done.
create table stage_piece (
  task_id uuid not null references task on delete cascade,
  key text not null,
  value json not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (task_id, key)
);

-- The workers' log. It has no foreign keys: a line outlives the task, the worker and the meeting it is about.
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
);
create index pipeline_log_worker_id on pipeline_log (worker_id, id) where worker_id is not null;
create index pipeline_log_meeting_id on pipeline_log (meeting_id, id) where meeting_id is not null;
create index pipeline_log_task_id on pipeline_log (task_id, id) where task_id is not null;
create index pipeline_log_at on pipeline_log (at);

-- One model call with all of its attempts; neither the prompt nor the answer is stored. It has no foreign keys: the
-- money stays spent when the task or the meeting is gone.
create table model_usage (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  model text not null,
  purpose text not null,
  outcome text not null,
  input_tokens int not null check (input_tokens >= 0),
  output_tokens int not null check (output_tokens >= 0),
  duration_ms int not null check (duration_ms >= 0),
  cost numeric(14, 8) check (cost >= 0),
  task_id uuid,
  meeting_id uuid,
  stage text,
  provider text
);
create index model_usage_at on model_usage (at);
create index model_usage_task on model_usage (task_id) where task_id is not null;
create index model_usage_meeting on model_usage (meeting_id) where meeting_id is not null;

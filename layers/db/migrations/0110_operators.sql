-- Settings, machines' tokens, drills, and the history of what operators did. Lines of the history have no foreign keys:
-- a line outlives its subject. None holds a secret.

create table setting (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null
);
-- Each change of a setting; `before` is null where it had not been set.
create table setting_change (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  name text not null,
  before jsonb,
  after jsonb not null,
  changed_by text not null
);
create index setting_change_name on setting_change (name, id);
create index setting_change_at on setting_change (at);

-- A machine's token. With a run it may complete that run; without one it only reads. Revoked tokens stay, so that the
-- history can say whose they were.
create table agent_token (
  id uuid primary key default uuidv7(),
  machine text not null check (machine <> ''),
  token_hash bytea not null unique,
  run_id uuid references completion_run on delete cascade,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index agent_token_run on agent_token (run_id) where run_id is not null;

-- What was done under a run.
create table completion_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  run_id uuid not null,
  token_id uuid,
  machine text not null,
  operation text not null,
  subject text not null,
  -- False where the request had been carried out before.
  changed boolean not null,
  detail jsonb not null default '{}',
  task_id uuid
);
create index completion_audit_run on completion_audit (run_id, id);
create index completion_audit_at on completion_audit (at);

-- What operators did on the console and the command line. `operator` is an e-mail address, or says where the action
-- came from.
create table operator_action (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  operator text not null,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}'
);
create index operator_action_at on operator_action (at);

-- A rehearsal of the pipeline, in a database of its own, from a calendar that is served while it lasts at an address
-- with a token that a signing key derives from the id.
create table drill (
  id uuid primary key default uuidv7(),
  state text not null default 'running' check (state in ('running', 'passed', 'failed')),
  started_by text not null,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  report jsonb,
  -- Where the calendar is served.
  origin text,
  calendar jsonb,
  -- The last sign of life of the process that runs the drill: without one for half a minute, it was killed.
  seen_at timestamptz not null default clock_timestamp(),
  check ((state = 'running') = (ended_at is null)),
  check (state = 'running' or calendar is null)
);

-- Settings, machine tokens, drills, and the operators' history. The history has no foreign keys, because a line
-- outlives its subject. No line contains a secret.

create table setting (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null
);

-- A machine's token. With a run it may complete that run; without one it may only read. Revoked tokens stay, so that
-- the history can name their owners.
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

-- Actions of operators: on the console, on the command line, and by machines under a run. `operator` is an e-mail
-- address, a machine's name, or the origin of the action. A change of a setting is `setting.set`, with `before` (null
-- if it was unset) and `after` in `detail`; an operation of a run is `run.` and its name, with `changed` in `detail`:
-- false if the request had been carried out before.
create table operator_action (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  operator text not null,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}',
  run_id uuid,
  token_id uuid,
  task_id uuid
);
create index operator_action_run on operator_action (run_id, id) where run_id is not null;
create index operator_action_setting on operator_action (subject, id) where action = 'setting.set';
create index operator_action_at on operator_action (at);

-- A rehearsal of the pipeline in its own database. Its calendar is served while it runs, at an address with a token
-- that a signing key derives from the id.
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
  -- The last heartbeat of the drill's process: half a minute without one means that it was killed.
  seen_at timestamptz not null default clock_timestamp(),
  check ((state = 'running') = (ended_at is null)),
  check (state = 'running' or calendar is null)
);

-- How often a task's model has failed it since the task was added or retried, and since when; while it waits for its
-- model, which one. `without_model` is why a task that is done had to do without.
alter table task
  add column model_away int not null default 0 check (model_away >= 0),
  add column model_unusable int not null default 0 check (model_unusable >= 0),
  add column model_since timestamptz,
  add column model_role text,
  add column model text,
  add column without_model text;
create index task_model on task (model_role) where model_role is not null;

-- The stages of a meeting that ended without their model, to be made again once the model answers or was changed.
-- `model` is the one that was configured, with its host; '' is none. `again_for` is the model for which the stage was
-- last repeated.
create table made_without (
  meeting_id uuid not null references meeting on delete cascade,
  stage text not null,
  role text not null check (role in ('language', 'checker', 'speech')),
  model text not null,
  kind text not null check (kind in ('none', 'away', 'unusable', 'budget')),
  reason text not null,
  since timestamptz not null default clock_timestamp(),
  tried_at timestamptz not null default clock_timestamp(),
  tries int not null default 1 check (tries > 0),
  again_at timestamptz,
  again_for text,
  primary key (meeting_id, stage)
);

-- It returns more columns.
drop function if exists claim_tasks(uuid, text[], int, text[], int[]);

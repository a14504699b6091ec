-- Brings a database that has had the last migration of the builds before the baseline (43) to the schema that the
-- baseline makes. It runs once, before the functions of this build are applied, and is deleted with the last such
-- database.

-- Views name the columns of their tables, which could not change under them. Both are made again afterwards.
drop view published_briefing, published_transcript;

alter table flow rename constraint flow_check1 to flow_check;

alter table transcript_chunk rename to passage;
alter index transcript_chunk_words rename to passage_words;
do $$
declare
  name text;
begin
  for name in select conname from pg_constraint where conrelid = 'passage'::regclass loop
    execute format('alter table passage rename constraint %I to %I', name, replace(name, 'transcript_chunk', 'passage'));
  end loop;
end $$;

-- Only a benchmark used it.
drop function position_starts;

create table function_file (name text primary key, hash text not null);

-- One table has all that operators did.
alter table operator_action add column run_id uuid, add column token_id uuid, add column task_id uuid;
insert into operator_action (at, operator, action, subject, detail, run_id, token_id, task_id)
select at, operator, action, subject, detail, run_id, token_id, task_id from (
  select at, id, changed_by as operator, 'setting.set' as action, name as subject,
    jsonb_build_object('before', before, 'after', after) as detail,
    null::uuid as run_id, null::uuid as token_id, null::uuid as task_id
  from setting_change
  union all
  select at, id, machine, 'run.' || operation, subject, jsonb_build_object('changed', changed) || detail,
    run_id, token_id, task_id
  from completion_audit) older
order by at, id;
drop table setting_change, completion_audit;
create index operator_action_run on operator_action (run_id, id) where run_id is not null;
create index operator_action_setting on operator_action (subject, id) where action = 'setting.set';

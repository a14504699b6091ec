-- Converts a database with the last migration before the baseline (43) to the baseline's schema. It runs once, before
-- this build's functions are applied, and can be deleted once no such database is left.

-- Views name the columns of their tables, which could not change under them. Both are created again afterwards.
drop view published_briefing, published_transcript;

alter table flow rename constraint flow_check1 to flow_check;

alter table transcript_chunk rename to passage;
alter index transcript_chunk_words rename to passage_words;
do $$
declare
  name text;
begin
  for name in select conname from pg_constraint where conrelid = 'passage'::regclass loop
    execute format(
      'alter table passage rename constraint %I to %I', name, replace(name, 'transcript_chunk', 'passage'));
  end loop;
end $$;

-- Only a benchmark used it.
drop function position_starts;

create table function_file (name text primary key, hash text not null);

-- All operators' actions go into one table.
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

-- The parts of a meeting have the same names everywhere.
update made_part set part = case part when 'raw' then 'raw_transcript' else 'transcript' end
where part in ('raw', 'refined');

-- A briefing is stored both as written and as served. Checks used to overwrite an unsupported headline, and to replace
-- or leave out unsupported lines. The headline is restored from its claim, which has its text, unless the briefing was
-- checked again since. The lines cannot be: a claim does not have their second.
alter table briefing
  add column written jsonb, add column served jsonb, add column follows_setting boolean not null default true;
with verdicts as (
  select b.meeting_id,
    coalesce((select value <> 'false' from setting where name = 'pipeline.ClaimCheck'), true) as checked,
    exists (select from claim c where c.meeting_id = b.meeting_id) as claimed,
    exists (select from claim c where c.meeting_id = b.meeting_id and c.verdict is null) as awaited
  from briefing b
), topics as (
  select b.meeting_id, t.turn, t.topic, jsonb_array_length(t.topic -> 'sentences') as written, s.is_unknown,
    coalesce(s.kept, '[]') as kept
  from briefing b join verdicts v using (meeting_id),
    jsonb_array_elements(b.content -> 'topics') with ordinality t (topic, turn),
    lateral (
      select bool_or(s.sentence ? 'claim' and c.id is null) as is_unknown,
        jsonb_agg(s.sentence - 'claim' order by s.number) filter (where not s.sentence ? 'claim'
          or c.verdict = 'supported' or c.verdict is null and not (v.checked and v.claimed)) as kept
      from jsonb_array_elements(t.topic -> 'sentences') with ordinality s (sentence, number)
      left join claim c on c.id::text = s.sentence ->> 'claim' and c.meeting_id = b.meeting_id) s
), parts as (
  select meeting_id, sum(written - jsonb_array_length(kept)) as removed, bool_or(is_unknown) as is_unknown,
    jsonb_agg(topic || jsonb_build_object('sentences', kept) order by turn)
      filter (where written = 0 or jsonb_array_length(kept) > 0) as topics
  from topics group by meeting_id
)
update briefing b set
  served = case when not (v.checked and v.awaited) then jsonb_build_object(
    'headline', b.headline, 'worth_watching', b.content -> 'worth_watching',
    'topics', coalesce(p.topics, '[]'), 'removed_sentences', coalesce(p.removed, 0)) end,
  follows_setting = v.claimed and (v.awaited or coalesce(p.is_unknown, false)),
  written = b.content || coalesce(
    (select jsonb_build_object('headline', c.text, 'headline_claim', c.id) from claim c join claims s using (meeting_id)
      where c.meeting_id = b.meeting_id and s.checked_by is not null and c.topic = 'Headline' and c.position = 1 + (
        select coalesce(sum(written), 0) from topics t where t.meeting_id = b.meeting_id)),
    jsonb_build_object('headline', b.headline))
from verdicts v left join parts p using (meeting_id) where v.meeting_id = b.meeting_id;
alter table briefing drop column headline, drop column content, alter column written set not null;
alter table briefing add column headline text generated always as (served ->> 'headline') stored;

-- The results of probes. Earlier builds could not probe, so every candidate is still pending.
alter table candidate
  add column probed_at timestamptz, add column calendar text, add column bodies text[], add column meetings int,
  add column failure text,
  add constraint candidate_finding check (
    num_nonnulls(calendar, failure) = num_nonnulls(probed_at)
    and num_nonnulls(bodies, meetings) = 2 * num_nonnulls(calendar));

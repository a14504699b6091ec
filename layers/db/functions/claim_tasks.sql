-- The tasks of a lane that are due and at one of these stages: the most urgent first, then the oldest. Each urgency is
-- searched by itself, because the next task that is due may stand behind thousands of a higher urgency that are not.
create or replace function due_tasks(of_lane text, at_stages text[], most int) returns setof uuid
language sql stable as $$
  with recursive urgency (priority) as (
    select max(priority) from task where lane = of_lane and state = 'waiting'
    union all
    select (select max(t.priority) from task t
      where t.lane = of_lane and t.state = 'waiting' and t.priority < urgency.priority)
    from urgency where urgency.priority is not null)
  select due.id from urgency, lateral (
    select t.id from task t
    where t.lane = of_lane and t.state = 'waiting' and t.priority = urgency.priority and t.due_at <= now()
      and t.stage = any(at_stages)
    order by t.due_at, t.flow_id limit most) due
  limit most
$$;

-- Claims tasks for a worker, as many as it has free and its lanes have room for; none for one that is gone. It is one
-- statement of the caller, so that a lane is held for as long as PostgreSQL works and never for a round trip. The row
-- of a lane is its lock, because two claims of one lane would both count the same room; lanes are locked in one order,
-- and served in any.
--
-- The settings make every look an index search, whatever the statistics say. After many tasks were added at once they
-- say that few wait, and a plan that sorts all of them seems cheap.
create or replace function claim_tasks(for_worker uuid, at_stages text[], free int, lanes text[], rooms int[])
returns table (
  id uuid, claim uuid, worker uuid, flow uuid, stage text, attempts int, traceparent text,
  "meetingId" uuid, "userClipId" uuid, "clipId" uuid, "sourceId" uuid,
  "modelAway" int, "modelUnusable" int, "modelWaited" float8
) language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
#variable_conflict use_column
declare
  due_lanes text[];
  lane_name text;
  room int;
  started uuid[];
begin
  if not exists (select from worker w where w.id = for_worker and w.ended_at is null) then return; end if;
  select array_agg(locked.name) into due_lanes from (
    select l.name from lane l
    where l.name = any(lanes) and exists (select from due_tasks(l.name, at_stages, 1))
    order by l.name for update) locked;
  for lane_name in select name from unnest(due_lanes) name order by random() loop
    -- In a statement of its own, whose snapshot is younger than the lock.
    select least(free, rooms[array_position(lanes, l.name)], l.at_once - (
      select count(*) from task t where t.lane = l.name and t.state = 'running'))
    into room from lane l where l.name = lane_name;
    continue when room <= 0;
    -- The state is looked at from outside, or the index of waiting tasks would be searched for these few from its
    -- start.
    started := array(
      select held.id from (
        select t.id, t.state from task t where t.id = any(array(select due_tasks(lane_name, at_stages, room)))
        offset 0 for update skip locked) held
      where held.state = 'waiting');
    return query
      update task t set state = 'running', held_by = for_worker, claim = uuidv7(), attempts = t.attempts + 1,
        started_at = clock_timestamp(), ended_at = null, progress = 0
      from flow f left join user_clip u on u.id = f.user_clip_id left join clip c on c.id = f.clip_id
      where t.id = any(started) and f.id = t.flow_id
      returning t.id, t.claim, t.held_by, f.id, t.stage, t.attempts, f.traceparent,
        coalesce(f.meeting_id, u.meeting_id, c.meeting_id), f.user_clip_id, f.clip_id, f.source_id,
        t.model_away, t.model_unusable, coalesce(extract(epoch from clock_timestamp() - t.model_since), 0)::float8;
    insert into task_event (task_id, kind, worker_id) select started_id, 'started', for_worker
      from unnest(started) started_id;
    free := free - coalesce(array_length(started, 1), 0);
  end loop;
end $$;

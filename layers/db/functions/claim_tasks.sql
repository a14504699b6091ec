-- The tasks of a lane that are due and at one of these stages: the most urgent first, then the oldest. Each urgency is
-- searched by itself, because the next task that is due may stand behind thousands of a higher urgency that are not.
--
-- What waits first of an urgency is where the search for what is due begins. Before it may be thousands of entries of
-- tasks that ended, which stay for as long as anybody has an old snapshot; they are passed once.
create or replace function due_tasks(of_lane text, at_stages text[], most int) returns setof uuid
language sql stable as $$
  with recursive urgency as (
    (select priority, due_at, flow_id from task where lane = of_lane and state = 'waiting'
    order by priority desc, due_at, flow_id limit 1)
    union all
    select first.* from urgency, lateral (
      select t.priority, t.due_at, t.flow_id from task t
      where t.lane = of_lane and t.state = 'waiting' and t.priority < urgency.priority
      order by t.priority desc, t.due_at, t.flow_id limit 1) first)
  select due.id from urgency, lateral (
    select t.id from task t
    where t.lane = of_lane and t.state = 'waiting' and t.priority = urgency.priority and t.due_at <= now()
      and (t.due_at, t.flow_id) >= (urgency.due_at, urgency.flow_id) and t.stage = any(at_stages)
    order by t.due_at, t.flow_id limit most) due
  limit most
$$;

-- Those of these tasks that are still due, at most so many, in their order; locked.
create or replace function startable(ids uuid[], most int) returns uuid[]
language sql as $$
  -- The state is looked at from outside, or the index of waiting tasks would be searched for these few from its start.
  select array(
    select held.id from (
      select t.id, t.state, t.due_at from unnest(ids) with ordinality wanted (id, at) join task t on t.id = wanted.id
      order by wanted.at for update of t skip locked) held
    where held.state = 'waiting' and held.due_at <= now() limit most)
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
  looked_up int[] := array(select 2 * least(free, room) from unnest(rooms) room);
  due_ids uuid[];
  due_lanes text[];
  due_here uuid[];
  lane_name text;
  room int;
  started uuid[];
begin
  if not exists (select from worker w where w.id = for_worker and w.ended_at is null) then return; end if;
  -- Looked up once and before the locks, and as many again for those that somebody else claims meanwhile.
  select array_agg(due.id), array_agg(offered.lane) into due_ids, due_lanes
  from unnest(lanes, looked_up) offered (lane, most), lateral due_tasks(offered.lane, at_stages, offered.most) due (id);
  perform from lane l where l.name = any(due_lanes) order by l.name for update;
  for lane_name in select name from (select distinct unnest(due_lanes)) due (name) order by random() loop
    -- In a statement of its own, whose snapshot is younger than the lock.
    select least(free, rooms[array_position(lanes, l.name)], l.at_once - (
      select count(*) from task t where t.lane = l.name and t.state = 'running'))
    into room from lane l where l.name = lane_name;
    continue when room <= 0;
    due_here := array(select due.id from unnest(due_ids, due_lanes) due (id, lane) where due.lane = lane_name);
    started := startable(due_here, room);
    -- Others were faster, and there is more than was looked up.
    if cardinality(started) < room and cardinality(due_here) = looked_up[array_position(lanes, lane_name)] then
      started := startable(array(select due_tasks(lane_name, at_stages, room)), room);
    end if;
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
    free := free - cardinality(started);
  end loop;
end $$;

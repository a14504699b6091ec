import type { Sql } from "../../../layers/db/db.ts"

/** The most issues of one kind; the oldest are listed. */
const mostOfKind = 100

/** Minutes after which a due task counts as stuck. */
const stuckAfter = 15
/** Hours after which a briefing has waited too long for its claims. */
const pendingAfter = 24

/** Minutes of refusals after which a host or a model is more than momentarily busy. */
const busyFor = 60
/** Days after a meeting for which a recording that was left out is an issue. */
const mendableFor = 60

/** A vote in words: `pass 5-2`. */
const toldOf = (db: Sql, vote: "v" | "w") => {
  const row = db.literal(vote)
  return db`concat_ws(' ', nullif(${row}.result, 'other'), array_to_string(vote_sides(${row}.counts), '-'))`
}

/**
 * One row per issue that the database can show: kind, severity, since, subject, message, next step. Calls of a busy
 * model also fail as `circuit_open`, without being sent, because the circuit breaker opens for a while once the model
 * keeps refusing.
 */
export const issuesOfRows = (db: Sql, now: string) => db`
  (select 'task_failed' as kind, 'error' as severity, coalesce(t.ended_at, t.due_at) as since, 'task' as subject_type,
    t.id::text as subject_id,
    'The stage ' || t.stage || ' failed: ' || coalesce(t.failure, 'it gave no reason.') as message,
    'GET /api/agent/tasks/' || t.id || '/events shows its tries; then retry it under a completion run.' as next_step
  from task t join flow f on f.id = t.flow_id where t.state = 'failed'
    -- A calendar that cannot be crawled is told below.
    and not (f.kind = 'crawl' and exists (
      select from source s where s.id = f.source_id and s.failing_since is not null))
    and not exists (
    select from flow newer where newer.kind = f.kind and newer.subject = f.subject and newer.created_at > f.created_at)
  order by t.ended_at, t.id limit ${mostOfKind})
  union all
  (select 'worker_silent', 'warning', w.ended_at, 'worker', w.id::text,
    'The worker on ' || w.host || ' (process ' || w.pid || ') fell silent.',
    'Look at that machine, then start a worker again: civic-record worker'
  from worker w where w.ended_how = 'silent' and w.ended_at > now() - interval '1 day'
    and not exists (select from worker again where again.host = w.host and again.started_at > w.started_at)
  order by w.ended_at limit ${mostOfKind})
  union all
  (select 'stage_unserved', 'warning', min(t.due_at), 'stage', t.stage,
    'No running worker does the stage ' || t.stage || ': ' || count(*) || ' of its tasks are waiting.',
    'Start a worker with a build that has the stage: civic-record worker --lanes ' || min(t.lane)
  from task t where t.state = 'waiting' and t.due_at <= now() and not exists (
    select from worker w where w.ended_at is null and t.stage = any(w.stages))
  group by t.stage)
  union all
  (select 'lane_paused', 'notice', coalesce(max(s.updated_at), ${now}::timestamptz), 'lane', l.name,
    'The lane ' || l.name || ' is paused: ' || count(t.id) || ' of its tasks are waiting.',
    'To go on, run: civic-record settings set lanes.' || l.name || ' NUMBER'
  from lane l left join setting s on s.name = 'lanes.' || l.name
  left join task t on t.lane = l.name and t.state = 'waiting'
  where l.at_once = 0 group by l.name)
  union all
  (select 'lane_stuck', 'warning', due.oldest, 'lane', l.name,
    due.tasks || ' tasks of the lane ' || l.name
      || ' have been due for more than ${db.literal(String(stuckAfter))} minutes, and the lane has room.',
    'GET /api/agent/workers shows what the workers are running; start more of them: civic-record worker --lanes '
      || l.name
  from lane l cross join lateral (
    select count(*) as tasks, min(t.due_at) as oldest from task t
    where t.lane = l.name and t.state = 'waiting' and t.due_at < now() - ${stuckAfter}::int * interval '1 minute'
      and exists (select from worker w where w.ended_at is null and t.stage = any(w.stages))) due
  where due.tasks > 0
    and l.at_once > (select count(*) from task t where t.lane = l.name and t.state = 'running'))
  union all
  (select 'source_failing', 'warning', s.failing_since, 'source', s.id::text,
    'The source ' || s.url || ' cannot be crawled: ' || coalesce(s.failure, 'it gave no reason.'),
    'GET /api/agent/sources?order=failing shows it; check its address in a browser.'
  from source s where s.failing_since is not null order by s.failing_since limit ${mostOfKind})
  union all
  (select 'host_busy', 'warning', h.held_since, 'host', h.host,
    'The server ' || h.host || ' has answered nothing but that it wants to be left alone, and is asked again at '
      || to_char(h.next_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC.',
    'Ask its operators for a higher limit, or pause the sources that use it in the console (Sources).'
  from host_pace h where h.held_since < now() - ${busyFor}::int * interval '1 minute'
  order by h.held_since limit ${mostOfKind})
  union all
  (select 'model_busy', 'warning', min(u.at), 'model', u.model,
    'The model ' || u.model || ' accepts no requests: it has refused all of the last '
      || count(*) filter (where u.outcome = 'rate_limited') || '.',
    'Check the limits of its provider, or set another one (CLOUD_MODEL_URL, SPEECH_MODEL_URL) and start again.'
  from model_usage u where u.outcome <> 'begun'
    and u.at > ${now}::timestamptz - 2 * ${busyFor}::int * interval '1 minute'
  group by u.model having bool_and(u.outcome in ('rate_limited', 'circuit_open'))
    and bool_or(u.outcome = 'rate_limited')
    and min(u.at) < ${now}::timestamptz - ${busyFor}::int * interval '1 minute'
    and max(u.at) > ${now}::timestamptz - ${stuckAfter}::int * interval '1 minute'
    -- What waits for it is told below.
    and not exists (
      select from task t where t.model_role is not null and t.state in ('waiting', 'running')
        and starts_with(t.model, u.model || ' (')))
  union all
  (select case when missed.model = '' then 'model_missing' else 'model_unusable' end,
    case when missed.model = '' then 'notice' else 'error' end, min(missed.since), 'model',
    case when missed.model = '' then missed.role else missed.model end,
    case when missed.model = '' then 'No ' || missed.called || ' is configured: '
      else 'The ' || missed.called || ' ' || missed.model || ' cannot be used: '
        || (array_agg(missed.reason order by missed.at desc))[1] || ' ' end
      || concat_ws(', and ',
        case count(distinct missed.meeting_id) filter (where missed.is_made) when 0 then null
          when 1 then '1 meeting was made without it'
          else count(distinct missed.meeting_id) filter (where missed.is_made) || ' meetings were made without it' end,
        case count(*) filter (where not missed.is_made) when 0 then null when 1 then '1 task waits for it'
          else count(*) filter (where not missed.is_made) || ' tasks wait for it' end) || '.',
    case when missed.model = '' then 'Set ' || missed.variable || '_URL and _NAME, and start again'
      else 'Check ' || missed.variable || '_URL, _KEY and _NAME, and the account at its provider' end
      || ': the meetings are then made again, newest first.'
  from (
    select w.role, w.model, w.reason, w.since, w.tried_at as at, w.meeting_id, true as is_made from made_without w
    union all
    select t.model_role, t.model, t.failure, t.model_since, t.model_since, f.meeting_id, false
    from task t join flow f on f.id = t.flow_id
    where t.model_role is not null and t.state in ('waiting', 'running')
      and t.model_since < now() - ${stuckAfter}::int * interval '1 minute'
  ) as failing (role, model, reason, since, at, meeting_id, is_made)
  cross join lateral (
    select failing.*, case role when 'language' then 'language model' when 'speech' then 'speech model'
        else 'model that checks' end as called,
      case role when 'language' then 'CLOUD_MODEL' when 'speech' then 'SPEECH_MODEL' else 'CHECK_MODEL' end as variable
  ) missed
  group by missed.role, missed.model, missed.called, missed.variable)
  union all
  (select 'recording_left_out', 'warning', t.ended_at, 'meeting', m.id::text,
    substr(left_out.detail, length('skipped: ') + 1),
    'Correct the address of the recording at its source, or import the file (role source); then rerun fetch under a completion run.'
  from meeting m join flow f on f.meeting_id = m.id and f.kind = 'meeting' join task t on t.flow_id = f.id
  cross join lateral (
    select e.detail from task_event e where e.task_id = t.id and e.kind = 'skipped'
      and e.detail like 'skipped: The recording is%'
    order by e.id desc limit 1) left_out
  where m.date > ${now}::date - ${mendableFor}::int and m.status = 'held' and t.stage = 'fetch' and t.state = 'done'
    and not exists (select from media s where s.meeting_id = m.id and s.role = 'source')
    and not exists (
      select from flow newer where newer.kind = f.kind and newer.meeting_id = m.id and newer.created_at > f.created_at)
  order by t.ended_at limit ${mostOfKind})
  union all
  (select 'source_body_unmapped', 'notice', min(d.seen_at), 'source', d.source_id::text,
    'The source lists ' || d.source_body || ', which is mapped to no body: '
      || count(*) || ' meetings cannot be imported.',
    'Run: civic-record source map ' || d.source_id || ' BODY AGENCY. Or map it with '
      || 'PUT /api/agent/completion/{runId}/sources/' || d.source_id || '/bodies'
  from discovered d join source_body b on b.source_id = d.source_id and b.source_body = d.source_body
  where d.imported_at is null and b.body_id is null
  group by d.source_id, d.source_body order by 3 limit ${mostOfKind})
  union all
  (select 'recording_unpaired', 'notice', u.seen_at, 'source', u.source_id::text,
    'The recording ' || u.title || ' (' || u.video_url || ') waits for you to say which meeting it is of. ' || u.why,
    'civic-record source show ' || u.source_id || ' proposes meetings; run: civic-record source pair ' || u.source_id
      || ' RECORDING MEETING, or with --none.'
  from unpaired_recording u order by u.seen_at limit ${mostOfKind})
  union all
  (select 'candidate_found', 'notice', c.probed_at, 'completion_run', r.id::text,
    c.name || ' may be a source: its address is a calendar (' || c.calendar || ') with '
      || case c.meetings when 1 then '1 meeting' else c.meetings || ' meetings' end || ' of '
      || array_to_string(c.bodies[1:3], ', ') || case when cardinality(c.bodies) > 3 then ' and others.' else '.' end,
    'If it is right, run: civic-record source add --kind ' || c.calendar || ' --place ' || p.slug || ' --url ' || c.url
  from candidate c join completion_run r on r.place_id = c.place_id and r.ended_at is null
  join place p on p.id = c.place_id
  where c.calendar is not null and not exists (select from source s where s.kind = c.calendar and s.url = c.url)
  order by c.probed_at limit ${mostOfKind})
  union all
  (select 'briefing_pending', 'warning', b.published_at, 'meeting', b.meeting_id::text,
    'The briefing has waited for its claims to be checked for more than ${db.literal(String(pendingAfter))} hours.',
    'GET /api/agent/meetings/' || b.meeting_id || ' shows the stage verify; rerun it under a completion run.'
  from briefing b where b.published_at < ${now}::timestamptz - ${pendingAfter}::int * interval '1 hour'
    and b.served is null
    -- What lacks its model is told above, once for all meetings.
    and not exists (select from made_without w where w.meeting_id = b.meeting_id and w.stage = 'verify')
  order by b.published_at limit ${mostOfKind})
  union all
  (select 'vote_conflict', 'warning', c.since, 'meeting', c.meeting_id::text,
    case c.votes when 1 then 'What is heard of a vote is not what is on record: '
      else 'What is heard of ' || c.votes || ' votes is not what is on record, the first on ' end
      || c.title || ', heard as ' || c.heard || ', on record as ' || c.known || '.',
    'GET /api/meetings/' || c.meeting_id || '/votes shows it (disagrees); listen at second '
      || coalesce(c.start::int::text, '?') || '. If the words are wrong, import a corrected transcript; '
      || 'if the data is, tell the city.'
  from (
    select c.meeting_id, max(greatest(v.updated_at, w.updated_at)) as since, count(distinct v.id) as votes,
      (array_agg(i.title order by w.start, v.id))[1] as title, (array_agg(w.start order by w.start, v.id))[1] as start,
      (array_agg(${toldOf(db, "w")} order by w.start, v.id))[1] as heard,
      (array_agg(${toldOf(db, "v")} order by w.start, v.id))[1] as known
    from vote_conflict c join vote v on v.id = c.vote_id join vote w on w.id = c.spoken_id
    join agenda_item i on i.meeting_id = v.meeting_id and i.id = v.agenda_item_id
    group by c.meeting_id order by 2 limit ${mostOfKind}) c)
  union all
  (select 'mail_failing', 'error', min(created_at), 'mail', 'outgoing',
    count(*) || ' mails were not accepted and will be tried again.',
    'Check SMTP_URL and the mail server, then run: civic-record doctor'
  from outgoing_mail where tries > 0 having count(*) > 0)`

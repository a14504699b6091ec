-- Recordings of a channel that wait for an operator, who says which meeting each is of: why, and the slug of its body.
create or replace view unpaired_recording as
select d.source_id, d.id, d.external_id, d.title, d.date, d.video_url, d.seen_at, b.slug as body,
  case
    when d.doubt is not null then d.doubt
    when own.films > 1 then 'The channel has several recordings of ' || b.name || ' for that day.'
    when met.meetings > 1 then b.name || ' met several times that day.'
    when met.meetings = 0 then 'No calendar lists a meeting of ' || b.name || ' for that day.'
    else 'The meeting of that day is called off.'
  end as why
from discovered d
join source s on s.id = d.source_id and s.kind in ('youtube', 'internet_archive')
join source_body sb on sb.source_id = d.source_id and sb.source_body = d.source_body
join body b on b.id = sb.body_id
cross join lateral (
  select count(*) as films from discovered o
  where o.source_id = d.source_id and o.source_body = d.source_body and o.date = d.date and o.withdrawn_at is null
    and o.doubt is null) own
cross join lateral (
  select count(*) filter (where m.date = d.date) as meetings,
    count(*) filter (where m.date = d.date and m.status <> 'cancelled') as held,
    bool_or(m.video_url is null and m.status <> 'cancelled') as may_be_one
  from meeting m where m.body_id = sb.body_id and m.date between d.date - 9 and d.date + 1 and m.id <> d.id) met
cross join lateral (
  select count(*) > 0 as lists_body, coalesce(bool_or(o.date = d.date and o.withdrawn_at is null), false) as lists_day,
    min(o.date) < d.date as goes_back
  from source_body ob join source c on c.id = ob.source_id and c.kind not in ('rss', 'youtube', 'internet_archive')
  join discovered o on o.source_id = ob.source_id and o.source_body = ob.source_body
  where ob.body_id = sb.body_id) calendar
where d.imported_at is null and d.withdrawn_at is null and d.video_url is not null
  and not exists (
    select from meeting m where m.body_id = sb.body_id and m.video_url = d.video_url)
  and case
    -- Where every meeting about that day has its recording, nobody needs this one.
    when d.doubt is not null or own.films > 1 or met.meetings > 1 then met.may_be_one or not calendar.lists_body
    when met.meetings = 1 then met.held = 0
    else calendar.goes_back and not calendar.lists_day
  end;

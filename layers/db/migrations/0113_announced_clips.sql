-- Whether `clip.published` told of the clip since it was published: once, when it can be watched.
alter table clip add column announced boolean not null default false;
update clip c set announced = true
where c.state = 'published' and exists (
  select from media d where d.meeting_id = c.meeting_id and d.role = 'clip' and d.subject = c.id);

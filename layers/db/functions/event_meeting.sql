-- The meeting that an event names: by its number at its source, among the bodies of a place, or as `body/day`, if that
-- was the body's only one on that day.
create or replace function event_meeting(at_place int, event text) returns table (id uuid) language sql stable as $$
  (select m.id from meeting m join body_place bp on bp.body_id = m.body_id
   where m.identifier = event and bp.place_id = at_place order by m.id limit 1)
  union all
  (select min(m.id::text)::uuid from body b join meeting m on m.body_id = b.id
   where b.slug = split_part(event, '/', 1)
     and m.date = case when pg_input_is_valid(split_part(event, '/', 2), 'date') then split_part(event, '/', 2)::date end
     and exists (select from body_place bp where bp.body_id = b.id and bp.place_id = at_place)
   having count(*) = 1)
  limit 1
$$;

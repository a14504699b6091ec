-- How many voted yes and no; null where neither is known.
create or replace function vote_sides(counts jsonb) returns int[] language sql immutable parallel safe as $$
  select array[coalesce(sum(c.value) filter (where c.option = 'yes'), 0),
    coalesce(sum(c.value) filter (where c.option = 'no'), 0)]
  from jsonb_to_recordset(counts) as c (option text, value int)
  having bool_or(c.option in ('yes', 'no'))
$$;

-- Whether two votes can be the same one, as far as both tell their results and who had how many.
create or replace function votes_fit(v vote, w vote) returns boolean language sql stable parallel safe as $$
  select (v.result = w.result or coalesce(v.result, 'other') = 'other' or coalesce(w.result, 'other') = 'other')
    and coalesce(vote_sides(v.counts) = vote_sides(w.counts), true)
$$;

-- The votes on record, `vote_id`, that are not what is heard of their item, `spoken_id`. An item may have several
-- votes, of which some are heard: neither of the two fits any of the other side.
create or replace view vote_conflict as
select v.id as vote_id, w.id as spoken_id, v.meeting_id
from vote v
join vote w on w.meeting_id = v.meeting_id and w.agenda_item_id = v.agenda_item_id and w.kind = v.kind
where v.origin <> 'transcript' and w.origin = 'transcript' and not votes_fit(v, w)
  and not exists (
    select from vote o where o.meeting_id = v.meeting_id and o.agenda_item_id = v.agenda_item_id and o.kind = v.kind
      and case when o.origin = 'transcript' then votes_fit(v, o) else votes_fit(o, w) end);

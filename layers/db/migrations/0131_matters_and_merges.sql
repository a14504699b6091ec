-- The documents of a matter, at their source: [{title, url}].
alter table matter add column attachments jsonb not null default '[]';

-- The person that an operator merged this one with. `merged_into` is where such a chain ends; one link of it can be
-- taken away again, and those that hang on it stay together.
alter table person add column merged_with int references person on delete set null;
update person set merged_with = merged_into where merged_into is not null;
create index person_merged_with on person (merged_with) where merged_with is not null;

-- Who voted yes and who voted no in a vote that was divided: one row says with whom a person voted. Null in a vote that
-- an earlier build writes, whose ballots say it.
alter table vote add column voted_yes int[];
alter table vote add column voted_no int[];
update vote v set voted_yes = s.yes, voted_no = s.no
from (
  select vote_id, coalesce(array_agg(person_id) filter (where option = 'yes'), '{}') as yes,
    coalesce(array_agg(person_id) filter (where option = 'no'), '{}') as no
  from ballot where is_divided and option in ('yes', 'no') and person_id is not null group by 1) s
where v.id = s.vote_id;

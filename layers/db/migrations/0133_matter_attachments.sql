-- The documents of a matter, at their source: [{title, url}].
alter table matter add column attachments jsonb not null default '[]';

-- The person that an operator merged this one with. `merged_into` is where such a chain ends; one link of it can be taken
-- away again, and those that hang on it stay together.
alter table person add column merged_with int references person on delete set null;
update person set merged_with = merged_into where merged_into is not null;
create index person_merged_with on person (merged_with) where merged_with is not null;

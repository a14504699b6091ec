-- The oldest build that can serve with this schema and these functions, named by its newest migration. It is raised by
-- the build that takes away or changes what an older one uses.
create or replace function oldest_build() returns int language sql immutable as $$ select 141 $$;

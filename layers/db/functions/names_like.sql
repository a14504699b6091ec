-- The bodies and places that have a word like this one: every match that is at least 0.35 alike, and a few more, which
-- the caller leaves out.

create or replace function bodies_like(word text) returns setof int language sql stable rows 50
set pg_trgm.word_similarity_threshold = 0.35
begin atomic
  select id from body where described %> word;
end;

create or replace function places_like(word text) returns setof int language sql stable rows 50
set pg_trgm.word_similarity_threshold = 0.35
begin atomic
  select id from place where described %> word;
end;

-- The bodies and places with a word similar to this one, or to both: every match with a similarity of at least 0.35,
-- and a few false positives, which the caller drops. An index finds both words in one look: a common one has hundreds
-- of matches, each of which costs more to check than the look.

create or replace function bodies_like(word text) returns setof int language sql stable rows 50
set pg_trgm.word_similarity_threshold = 0.35
begin atomic
  select id from body where described %> word;
end;

create or replace function bodies_like_both(word text, other text) returns setof int language sql stable rows 5
set pg_trgm.word_similarity_threshold = 0.35
begin atomic
  select id from body where described %> word and described %> other;
end;

create or replace function places_like(word text) returns setof int language sql stable rows 50
set pg_trgm.word_similarity_threshold = 0.35
begin atomic
  select id from place where described %> word;
end;

create or replace function places_like_both(word text, other text) returns setof int language sql stable rows 5
set pg_trgm.word_similarity_threshold = 0.35
begin atomic
  select id from place where described %> word and described %> other;
end;

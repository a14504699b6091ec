-- How alike two names of bodies of a place are, from 0 to 1: the similarity of their trigrams, without the words that
-- name the place, because every body there has them. "Springfield School Board" is not "Springfield Zoning Board".

create or replace function name_within(name text, place text) returns text immutable parallel safe
return (
  select coalesce(string_agg(word, ' ' order by position), '')
  from regexp_split_to_table(fold(name), '[^[:alnum:]]+') with ordinality words (word, position)
  where word <> '' and word <> all(array['the', 'of', 'and', 'for'])
    and word <> all(regexp_split_to_array(fold(place), '[^[:alnum:]]+')));

create or replace function body_likeness(one text, other text, place text) returns real immutable parallel safe
return similarity(name_within(one, place), name_within(other, place));

-- The one way from a word or phrase of a query to a tsquery: its words anywhere, as a vector without positions needs,
-- or in a row. What search_vector does to a text, these do to a query.

create or replace function search_words(value text) returns tsquery language sql immutable strict parallel safe
return plainto_tsquery('public.civic', public.search_text(value));

create or replace function search_phrase(value text) returns tsquery language sql immutable strict parallel safe
return phraseto_tsquery('public.civic', public.search_text(value));

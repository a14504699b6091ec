-- The only conversions of a query's word or phrase to a tsquery: its words anywhere, as a vector without positions
-- needs, or in a row. They normalize a query as search_vector does a text.

create or replace function search_words(value text) returns tsquery language sql immutable strict parallel safe
return plainto_tsquery('public.civic', public.search_text(value));

create or replace function search_phrase(value text) returns tsquery language sql immutable strict parallel safe
return phraseto_tsquery('public.civic', public.search_text(value));

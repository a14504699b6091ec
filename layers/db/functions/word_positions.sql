-- Maps each position of search_vector(value) to the number of its word; words are separated by single spaces. The
-- second at which a query is said then follows from its lexemes' positions, without parsing any text while a reader
-- waits.
--
-- One word may fill several positions (`24-117`) or none (`--`). The line breaks between words pass through search_text
-- unchanged, and counting them tells which word a token belongs to. The parser's tokens 12, 13, 14 and 23 are blanks,
-- tags, the beginnings of addresses, and entities; every other token is in the vector.
create or replace function word_positions(value text) returns int[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(word order by n) filter (where tokid not in (12, 13, 14, 23)), '{}') from (
    select n, tokid, 1 + coalesce(sum(length(token) - length(replace(token, chr(10), ''))) over (
      order by n rows between unbounded preceding and 1 preceding), 0)::int as word
    from ts_parse('default', public.search_text(replace(value, ' ', chr(10))))
      with ordinality t (tokid, token, n)) tokens
$$;
comment on function word_positions is
  'For each position of search_vector(value) the number of the word that it is of; single spaces separate the words.';

-- How names and texts are compared, and which functions the database has.
--
-- Columns, constraints and indexes depend on the functions in this file, so changing one takes a migration that also
-- recomputes the stored values. All other functions are in layers/db/functions.

-- The last applied version of each file in layers/db/functions, by SHA-256.
create table function_file (name text primary key, hash text not null);

create extension if not exists unaccent;
create extension if not exists pg_trgm;
create extension if not exists fuzzystrmatch;

-- Names are compared without accents and case. Unlike unaccent, the function is immutable, so it can be indexed.
create function fold(name text) returns text
language sql immutable strict parallel safe
return lower(public.unaccent('public.unaccent', name));

-- A county's or city's name as a key: without accents, case and hyphens.
create function name_key(name text) returns text
language sql immutable strict parallel safe
return replace(public.fold(name), '-', ' ');

-- The words of a name, by which places and bodies are found.
create function plain_words(name text) returns text
language sql immutable strict parallel safe
return trim(regexp_replace(public.fold(name), '[^[:alnum:]]+', ' ', 'g'));

-- Whether a value belongs in word_form: three to forty letters. Most words have only the 26 letters, and running a
-- regular expression on each was a tenth of an import's cost in PostgreSQL.
create function is_word(value text) returns boolean
language sql immutable parallel safe
return length(value) between 3 and 40
  and (ltrim(value, 'abcdefghijklmnopqrstuvwxyz') = '' or value ~ '^[[:alpha:]]+$');

-- English stems, without accents.
create text search configuration civic (copy = english);
alter text search configuration civic alter mapping for hword, hword_part, word with unaccent, english_stem;

-- Normalizes numbers, abbreviations and legal citations for search. It is applied to every text before it becomes a
-- vector, and to every query before it becomes a tsquery, so that `Ord. 24-117`, `Ordinance No. 24-117` and `ordinance
-- 24 117` are equal. No other code tokenizes text for search.
--
-- Each rule runs only on texts that match a cheap pattern first: most speech has no digit. White space is preserved, so
-- a caller can put a line break between the words of a text and find each of them in the result. Rules that look beyond
-- one word add spellings beside the original, so that a part of the text is still found.
create function search_text(value text) returns text
language plpgsql immutable strict parallel safe as $$
begin
  -- U.S. is US, H.B. is HB, p.m. is pm. The verb "am" is a stop word, so a.m. is one of its own.
  if value ~ '\m[[:alpha:]]\.[[:alpha:]]\M' then
    value := regexp_replace(value, '\ma\.m\M', 'amhour', 'gi');
    value := regexp_replace(value, '(?<=\m[[:alpha:]])\.(?=[[:alpha:]]\M)', '', 'g');
  end if;
  if value ~* '\m(?:ord|reso?|int|intro)\M' then
    value := regexp_replace(value, '\mord\M', 'ordinance', 'gi');
    value := regexp_replace(value, '\mreso?\M', 'resolution', 'gi');
    value := regexp_replace(value, '\mint(?:ro)?\M', 'introduction', 'gi');
  end if;
  -- AT&T and AT & T are also ATandT; their letters alone are stop words, or as good as those.
  if strpos(value, '&') > 0 then
    -- Twice, because the word between two of them belongs to both: "B" in "A & B & C".
    for pass in 1..2 loop
      value := regexp_replace(value, '(?<![''’])\m([[:alpha:]]{1,3})(\s?)&(\s?)([[:alpha:]]{1,3})\M',
        '\1 \1and\4\2\3 \4', 'g');
    end loop;
  end if;
  if value ~ '[0-9]' then
    -- 1,450,000 is 1450000.
    if value ~ '\d,\d{3}' then
      value := regexp_replace(value, '(?<=\d),(?=\d{3}(?!\d))', '', 'g');
    end if;
    -- 1450000.00 is 1450000, and 7:00 is 7.
    if value ~ '\d[.:]00\M' then
      value := regexp_replace(value, '(?<=\d)(?:\.00|(?<=\m\d{1,2}):00)\M', '', 'g');
    end if;
    -- I-40 and I 40 are also I40, because a, i, s and t are stop words.
    if value ~ '\m[AISTaist][-\s]?\d' then
      value := regexp_replace(value, '\m(?:([AISTaist])(-?)|([AIST])(\s))(\d+)\M', '\1\3 \1\3\5\2\4 \5', 'g');
    end if;
    -- HB123 is HB 123.
    if value ~ '\m[[:alpha:]]{1,5}\d' then
      value := regexp_replace(value, '\m([[:alpha:]]{2,5}|[B-HJ-RU-Z])(\d+)\M', '\1 \2', 'gi');
    end if;
    if value ~* '\d\s?am\M' then
      value := regexp_replace(value, '(\d)(\s?)am\M', '\1 \2amhour', 'gi');
    end if;
    -- 7pm is 7 pm, and 990218ZSK is 990218 ZSK; 5G and 21st stay.
    if value ~* '\dpm\M|\d{5}[[:alpha:]]{2,4}\M' then
      value := regexp_replace(value, '(\d)(pm|(?<=\d{5})[[:alpha:]]{2,4})\M', '\1 \2', 'gi');
    end if;
    -- 0088 is 88; 1.05 stays.
    if value ~ '0\d' then
      value := regexp_replace(value, '(?<![\d.,])0+(?=\d)', '', 'g');
    end if;
    -- No. 88 is 88.
    if value ~* '\mno[.\s]\s*#?\d' then
      value := regexp_replace(value, '\mno(?:\.(\s*)|(\s+))(?=#?\d)', '\1\2', 'gi');
    end if;
  end if;
  -- 24-117 is 24 117, and on-street is on street.
  return translate(value, '-/–—#$§', '       ');
end $$;

-- The one way from a text to a vector.
create function search_vector(value text) returns tsvector
language sql immutable strict parallel safe
return to_tsvector('public.civic', public.search_text(value));

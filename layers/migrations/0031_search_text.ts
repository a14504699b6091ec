import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How numbers, abbreviations and names of law are spelled for search. `search_text` rewrites every text before it becomes
 * a vector, and every query before it becomes a tsquery, so that `Ord. 24-117`, `Ordinance No. 24-117` and
 * `ordinance 24 117` are the same. No other code takes texts apart for search. What is on record is indexed anew: the
 * stretches in one statement, the meetings a thousand at a time.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Each rule runs only on texts that a cheap pattern says it concerns: most speech has no digit. White space is kept as
  // it is, which lets a caller put a line break between the words of a text and find each of them in what comes back.
  // Rules that look past a word put further spellings beside it and leave its own, so that part of a text is still found.
  yield* sql`
    create function search_text(value text) returns text language plpgsql immutable strict parallel safe as $$
    begin
      -- U.S. is US, H.B. is HB, p.m. is pm. The verb "am" is a stop word, so a.m. is one of its own.
      if value ~ '\\m[[:alpha:]]\\.[[:alpha:]]\\M' then
        value := regexp_replace(value, '\\ma\\.m\\M', 'amhour', 'gi');
        value := regexp_replace(value, '(?<=\\m[[:alpha:]])\\.(?=[[:alpha:]]\\M)', '', 'g');
      end if;
      if value ~* '\\m(?:ord|reso?|int|intro)\\M' then
        value := regexp_replace(value, '\\mord\\M', 'ordinance', 'gi');
        value := regexp_replace(value, '\\mreso?\\M', 'resolution', 'gi');
        value := regexp_replace(value, '\\mint(?:ro)?\\M', 'introduction', 'gi');
      end if;
      -- AT&T and AT & T are also ATandT; their letters alone are stop words, or as good as those.
      if strpos(value, '&') > 0 then
        -- Twice, because the word between two of them belongs to both: "B" in "A & B & C".
        for pass in 1..2 loop
          value := regexp_replace(value, '(?<![''’])\\m([[:alpha:]]{1,3})(\\s?)&(\\s?)([[:alpha:]]{1,3})\\M', '\\1 \\1and\\4\\2\\3 \\4', 'g');
        end loop;
      end if;
      if value ~ '[0-9]' then
        -- 1,450,000 is 1450000.
        if value ~ '\\d,\\d{3}' then
          value := regexp_replace(value, '(?<=\\d),(?=\\d{3}(?!\\d))', '', 'g');
        end if;
        -- 1450000.00 is 1450000, and 7:00 is 7.
        if value ~ '\\d[.:]00\\M' then
          value := regexp_replace(value, '(?<=\\d)(?:\\.00|(?<=\\m\\d{1,2}):00)\\M', '', 'g');
        end if;
        -- I-40 and I 40 are also I40, because a, i, s and t are stop words.
        if value ~ '\\m[AISTaist][-\\s]?\\d' then
          value := regexp_replace(value, '\\m(?:([AISTaist])(-?)|([AIST])(\\s))(\\d+)\\M', '\\1\\3 \\1\\3\\5\\2\\4 \\5', 'g');
        end if;
        -- HB123 is HB 123.
        if value ~ '\\m[[:alpha:]]{1,5}\\d' then
          value := regexp_replace(value, '\\m([[:alpha:]]{2,5}|[B-HJ-RU-Z])(\\d+)\\M', '\\1 \\2', 'gi');
        end if;
        if value ~* '\\d\\s?am\\M' then
          value := regexp_replace(value, '(\\d)(\\s?)am\\M', '\\1 \\2amhour', 'gi');
        end if;
        -- 7pm is 7 pm, and 990218ZSK is 990218 ZSK; 5G and 21st stay.
        if value ~* '\\dpm\\M|\\d{5}[[:alpha:]]{2,4}\\M' then
          value := regexp_replace(value, '(\\d)(pm|(?<=\\d{5})[[:alpha:]]{2,4})\\M', '\\1 \\2', 'gi');
        end if;
        -- 0088 is 88; 1.05 stays.
        if value ~ '0\\d' then
          value := regexp_replace(value, '(?<![\\d.,])0+(?=\\d)', '', 'g');
        end if;
        -- No. 88 is 88.
        if value ~* '\\mno[.\\s]\\s*#?\\d' then
          value := regexp_replace(value, '\\mno(?:\\.(\\s*)|(\\s+))(?=#?\\d)', '\\1\\2', 'gi');
        end if;
      end if;
      -- 24-117 is 24 117, and on-street is on street.
      return translate(value, '-/–—#$§', '       ');
    end $$`

  // The one way from a text to a vector, and from a word or phrase of a query to a tsquery. `search_words` asks for the
  // words anywhere, as a vector without positions needs; `search_phrase` asks for them in a row.
  yield* sql`
    create function search_vector(value text) returns tsvector language sql immutable strict parallel safe
    return to_tsvector('public.civic', public.search_text(value))`
  yield* sql`
    create function search_words(value text) returns tsquery language sql immutable strict parallel safe
    return plainto_tsquery('public.civic', public.search_text(value))`
  yield* sql`
    create function search_phrase(value text) returns tsquery language sql immutable strict parallel safe
    return phraseto_tsquery('public.civic', public.search_text(value))`

  yield* sql`alter table transcript_chunk alter column words set expression as (search_vector(text))`

  yield* sql`
    create or replace function index_meetings(ids uuid[]) returns void language sql as $$
      delete from meeting_search where meeting_id = any(ids);
      with named as (
        select m.id, m.body_id, m.date, m.year,
          setweight(search_vector(m.title || ' ' || b.name || ' ' || coalesce(
            (select string_agg(p.name, ' ') from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id), '')), 'A')
          -- The meeting at which a thing is introduced counts above those that take it up again.
          || setweight(search_vector(coalesce(
            (select string_agg(a.number, ' ' order by a.position) from agenda_item a
              where a.meeting_id = m.id and a.outcome ~* '^(introduced|first reading|referred to comm)'), '')), 'A')
          || setweight(search_vector(coalesce(
            (select string_agg(concat_ws(' ', a.number, a.title), ' ' order by a.position) from agenda_item a where a.meeting_id = m.id), '')
            || ' ' || coalesce((select string_agg(c.title, ' ' order by c.position) from chapter c where c.meeting_id = m.id), '')
            || ' ' || coalesce((select string_agg(c.title, ' ' order by c.start, c.id) from clip c
              where c.meeting_id = m.id and c.state = 'published'), '')
            || ' ' || coalesce((select f.headline from published_briefing f where f.meeting_id = m.id), '')), 'B')
          || setweight(search_vector(coalesce(
            (select string_agg(left(a.description, 4000), ' ' order by a.position) from agenda_item a where a.meeting_id = m.id), '')), 'C')
          || search_vector(coalesce(
            (select string_agg(k.name, ' ' order by k.start, k.name) from transcript_speaker k where k.meeting_id = m.id), ''))
          as named
        from meeting m join body b on b.id = m.body_id
        where m.id = any(ids) and m.status = 'held'
      )
      insert into meeting_search (meeting_id, body_id, date, year, named, document)
      select n.id, n.body_id, n.date, n.year, n.named,
        strip(n.named) || array_to_tsvector(array(
          select distinct w.lexeme from transcript_chunk c, unnest(c.words) w where c.meeting_id = n.id))
      from named n
    $$`
  yield* sql`
    do $$
    declare ids uuid[];
    begin
      for ids in
        select array_agg(meeting_id) from (
          select meeting_id, row_number() over (order by meeting_id) / 1000 as part from meeting_search) parts
        group by part
      loop
        perform index_meetings(ids);
      end loop;
    end $$`
})

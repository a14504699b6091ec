-- The schema as the builds before the baseline left it (migration 43), as its catalog tells it, with a few rows.
-- Delete it together with layers/db/carry-over.sql.
create extension unaccent;
create extension pg_trgm;
create extension fuzzystrmatch;
create text search configuration civic (copy = english);
alter text search configuration civic alter mapping for hword, hword_part, word with unaccent, english_stem;
set local check_function_bodies = off;
create aggregate tsvector_all (tsvector) (sfunc = tsvector_concat, stype = tsvector, initcond = '');
CREATE OR REPLACE FUNCTION public.fold(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lower(unaccent('unaccent'::regdictionary, name));
CREATE OR REPLACE FUNCTION public.refuse_retired_slug()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if exists (select from retired_slug r where r.slug = new.slug and r.body_id <> new.id) then
        raise unique_violation using message = format('%s is a retired slug of another body', new.slug), constraint = 'body_slug_key';
      end if;
      return new;
    end $function$;
CREATE OR REPLACE FUNCTION public.refuse_live_slug()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if exists (select from body b where b.slug = new.slug) then
        raise unique_violation using message = format('%s is the slug of a body', new.slug), constraint = 'retired_slug_pkey';
      end if;
      return new;
    end $function$;
CREATE OR REPLACE FUNCTION public.refresh_body_scope(ids integer[])
 RETURNS void
 LANGUAGE sql
AS $function$
      update body b
      set states = s.states, counties = s.counties, cities = s.cities, place_slugs = s.place_slugs,
        county_keys = s.county_keys, city_keys = s.city_keys, described = s.described
      from (
        select b.id,
          coalesce(array_agg(distinct p.state) filter (where p.state is not null), '{}') as states,
          coalesce(array_agg(distinct case p.kind when 'county' then p.name else p.county end)
            filter (where p.kind = 'county' or p.county is not null), '{}') as counties,
          coalesce(array_agg(distinct name_key(case p.kind when 'county' then p.name else p.county end))
            filter (where p.kind = 'county' or p.county is not null), '{}') as county_keys,
          coalesce(array_agg(distinct p.name) filter (where p.kind = 'city'), '{}') as cities,
          coalesce(array_agg(distinct name_key(p.name)) filter (where p.kind = 'city'), '{}') as city_keys,
          coalesce(array_agg(distinct p.slug) filter (where p.slug is not null), '{}') as place_slugs,
          -- Its name now and before, its first place, and its kind.
          plain_words(concat_ws(' ', b.name,
            (select string_agg(r.slug, ' ' order by r.slug) from retired_slug r where r.body_id = b.id),
            (array_agg(p.name order by bp.position))[1], (array_agg(p.state order by bp.position))[1], b.kind)) as described
        from body b left join body_place bp on bp.body_id = b.id left join place p on p.id = bp.place_id
        where b.id = any(ids)
        group by b.id
      ) s
      where b.id = s.id
    $function$;
CREATE OR REPLACE FUNCTION public.body_scope_of_place()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform refresh_body_scope(array(select body_id from body_place where place_id = new.id));
      return null;
    end $function$;
CREATE OR REPLACE FUNCTION public.body_scope_of_link()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform refresh_body_scope(array[coalesce(new.body_id, old.body_id)]);
      return null;
    end $function$;
CREATE OR REPLACE FUNCTION public.give_short_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare hex text := replace(new.id::text, '-', '');
    begin
      for digits in 8..32 loop
        new.short_id := left(hex, digits);
        exit when not exists (select from meeting where short_id = new.short_id)
          and not exists (select from removed_meeting where short_id = new.short_id and id <> new.id);
      end loop;
      return new;
    end $function$;
CREATE OR REPLACE FUNCTION public.count_held()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_op in ('UPDATE', 'DELETE') and old.status = 'held' then
        update held_count set held = held - 1 where body_id = old.body_id and year = old.year;
      end if;
      -- A body that went with its meetings in this transaction is counted no longer.
      if tg_op in ('UPDATE', 'INSERT') and new.status = 'held' then
        insert into held_count as h (body_id, year, held)
        select id, new.year, 1 from body where id = new.body_id
        on conflict (body_id, year) do update set held = h.held + 1;
      end if;
      return null;
    end $function$;
CREATE OR REPLACE FUNCTION public.index_meetings(ids uuid[])
 RETURNS void
 LANGUAGE sql
AS $function$
      delete from meeting_search where meeting_id = any(ids);
      with named as (
        select m.id, m.body_id, m.date, m.year,
          setweight(search_vector(m.title || ' ' || b.name || ' ' || coalesce(
            (select string_agg(p.name, ' ') from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id), '')), 'A')
          -- The meeting at which a thing is introduced counts above those that take it up again.
          || setweight(search_vector(coalesce(
            (select string_agg(a.number, ' ' order by a.position) from agenda_item a
              where a.meeting_id = m.id and a.outcome ~* '^(introduced|first reading|referred to comm)'), '')), 'A')
          || setweight(
            coalesce((select tsvector_all(a.words order by a.position) from agenda_item a where a.meeting_id = m.id), '')
            || coalesce((select tsvector_all(c.words order by c.position) from chapter c where c.meeting_id = m.id), '')
            || search_vector(coalesce((select string_agg(c.title, ' ' order by c.start, c.id) from clip c
              where c.meeting_id = m.id and c.state = 'published'), '')
            || ' ' || coalesce((select f.headline from published_briefing f where f.meeting_id = m.id), '')), 'B')
          || setweight(coalesce(
            (select tsvector_all(a.described order by a.position) from agenda_item a where a.meeting_id = m.id), ''), 'C')
          || search_vector(coalesce(
            (select string_agg(k.name, ' ' order by k.start, k.name) from transcript_speaker k where k.meeting_id = m.id), ''))
          as named
        from meeting m join body b on b.id = m.body_id
        where m.id = any(ids) and m.status = 'held'
      )
      insert into meeting_search (meeting_id, body_id, date, year, named, document)
      select n.id, n.body_id, n.date, n.year, n.named,
        strip(n.named) || spoken_words(n.id)
      from named n
    $function$;
CREATE OR REPLACE FUNCTION public.announce_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform pg_notify('feed', '');
      return null;
    end $function$;
CREATE OR REPLACE FUNCTION public.remember_removed_user_clip()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into removed_user_clip (id) values (old.id) on conflict do nothing;
      return null;
    end $function$;
CREATE OR REPLACE FUNCTION public.note_searched()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_op = 'INSERT' then
        insert into search_change (meeting_id) select distinct meeting_id from new_rows;
      elsif tg_op = 'DELETE' then
        insert into search_change (meeting_id) select distinct meeting_id from old_rows;
      else
        insert into search_change (meeting_id) select meeting_id from old_rows union select meeting_id from new_rows;
      end if;
      if found then
        perform pg_notify('search', '');
      end if;
      return null;
    end $function$;
CREATE OR REPLACE FUNCTION public.note_directory()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_op = 'DELETE' then
        insert into search_change (meeting_id) select null::uuid from old_rows limit 1;
      else
        insert into search_change (meeting_id) select null::uuid from new_rows limit 1;
      end if;
      return null;
    end $function$;
CREATE OR REPLACE FUNCTION public.name_key(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN replace(fold(name), '-'::text, ' '::text);
CREATE OR REPLACE FUNCTION public.plain_words(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN TRIM(BOTH FROM regexp_replace(fold(name), '[^[:alnum:]]+'::text, ' '::text, 'g'::text));
CREATE OR REPLACE FUNCTION public.body_scope_of_body()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform refresh_body_scope(array[new.id]);
      return null;
    end $function$;
CREATE OR REPLACE FUNCTION public.raise_record_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare
      transaction text := pg_current_xact_id()::text;
      free int;
    begin
      if current_setting('civic_record.raised', true) is distinct from transaction then
        select slot into free from record_revision order by slot limit 1 for update skip locked;
        if found then
          update record_revision set raised = raised + 1 where slot = free;
        else
          insert into record_revision (raised) values (1);
        end if;
        perform set_config('civic_record.raised', transaction, true);
      end if;
      return null;
    end $function$;
CREATE OR REPLACE FUNCTION public.search_text(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
          value := regexp_replace(value, '(?<![''’])\m([[:alpha:]]{1,3})(\s?)&(\s?)([[:alpha:]]{1,3})\M', '\1 \1and\4\2\3 \4', 'g');
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
    end $function$;
CREATE OR REPLACE FUNCTION public.search_vector(value text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN to_tsvector('civic'::regconfig, search_text(value));
CREATE OR REPLACE FUNCTION public.search_words(value text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN plainto_tsquery('civic'::regconfig, search_text(value));
CREATE OR REPLACE FUNCTION public.search_phrase(value text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN phraseto_tsquery('civic'::regconfig, search_text(value));
CREATE OR REPLACE FUNCTION public.note_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into word_form (word, times, is_name)
      select distinct word, 1, true from regexp_split_to_table(fold(new.name), '[^[:alpha:]]+') word
      where length(word) between 3 and 40 order by word
      on conflict (word) do update set is_name = true where not word_form.is_name;
      return null;
    end $function$;
CREATE OR REPLACE FUNCTION public.spoken_words(meeting uuid)
 RETURNS tsvector
 LANGUAGE sql
 STABLE
AS $function$
      select coalesce(tsvector_all(part), '') from (
        select tsvector_all(strip(c.words)) as part from transcript_chunk c
        where c.meeting_id = meeting group by c.position / 17) parts
    $function$;
CREATE OR REPLACE FUNCTION public.word_positions(value text)
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
      select coalesce(array_agg(word order by n) filter (where tokid not in (12, 13, 14, 23)), '{}') from (
        select n, tokid, 1 + coalesce(sum(length(token) - length(replace(token, chr(10), ''))) over (
          order by n rows between unbounded preceding and 1 preceding), 0)::int as word
        from ts_parse('default', public.search_text(replace(value, ' ', chr(10)))) with ordinality t (tokid, token, n)) tokens
    $function$;
CREATE OR REPLACE FUNCTION public.position_starts(value text, starts real[])
 RETURNS real[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
      select array(select starts[w.word] from unnest(public.word_positions(value)) with ordinality w (word, n) order by w.n)
    $function$;
CREATE OR REPLACE FUNCTION public.is_word(value text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((length(value) BETWEEN 3 AND 40) AND ((ltrim(value, 'abcdefghijklmnopqrstuvwxyz'::text) = ''::text) OR (value ~ '^[[:alpha:]]+$'::text)));
CREATE OR REPLACE FUNCTION public.sum_held()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_op in ('UPDATE', 'DELETE') then
        update body_held set held = held - old.held where body_id = old.body_id;
      end if;
      if tg_op in ('UPDATE', 'INSERT') then
        insert into body_held as b (body_id, held) values (new.body_id, new.held)
        on conflict (body_id) do update set held = b.held + excluded.held;
      end if;
      return null;
    end $function$;
create table account (id uuid default gen_random_uuid() not null, email text not null, name text, created_at timestamp with time zone not null, phone text, password_hash text, email_key text);
create table agenda_item (id uuid not null, meeting_id uuid not null, "position" integer not null, number text, title text not null, description text, outcome text, start numeric(10,3), words tsvector generated always as (search_vector((COALESCE((number || ' '::text), ''::text) || title))) stored not null, described tsvector generated always as (search_vector(COALESCE("left"(description, 4000), ''::text))) stored not null);
create table agenda_summary (meeting_id uuid not null, items jsonb not null, content_hash text not null);
create table agent_token (id uuid default uuidv7() not null, machine text not null, token_hash bytea not null, run_id uuid, created_by text not null, created_at timestamp with time zone default clock_timestamp() not null, last_used_at timestamp with time zone, revoked_at timestamp with time zone);
create table body (id integer generated always as identity, slug text not null, segment text not null, name text not null, kind text not null, website text, content_hash text not null, states text[] default '{}'::text[] not null, counties text[] default '{}'::text[] not null, cities text[] default '{}'::text[] not null, place_slugs text[] default '{}'::text[] not null, plain text generated always as (plain_words(name)) stored not null, described text default ''::text not null, county_keys text[] default '{}'::text[] not null, city_keys text[] default '{}'::text[] not null);
create table body_held (body_id integer not null, held integer not null);
create table body_place (body_id integer not null, place_id integer not null, "position" smallint not null);
create table briefing (meeting_id uuid not null, headline text not null, content jsonb not null, generator text, published_at timestamp with time zone not null, content_hash text not null);
create table calendar_address (account_id uuid not null, token_hash bytea not null, created_at timestamp with time zone not null);
create table candidate (id uuid default uuidv7() not null, place_id integer not null, name text not null, kind text not null, url text not null, filed_by text not null, created_at timestamp with time zone default clock_timestamp() not null);
create table chapter (meeting_id uuid not null, "position" integer not null, title text not null, start numeric(10,3) not null, "end" numeric(10,3) not null, words tsvector generated always as (search_vector(title)) stored not null);
create table claim (id uuid not null, meeting_id uuid not null, "position" integer not null, topic text not null, text text not null, verdict text, evidence jsonb not null, checked_at timestamp with time zone);
create table claims (meeting_id uuid not null, content_hash text not null, checked_by text);
create table clip (id uuid not null, meeting_id uuid not null, title text not null, start numeric(10,3) not null, "end" numeric(10,3) not null, agenda_item_id uuid, state text not null, content_hash text not null);
create table completion_audit (id bigint generated always as identity, at timestamp with time zone default clock_timestamp() not null, run_id uuid not null, token_id uuid, machine text not null, operation text not null, subject text not null, changed boolean not null, detail jsonb default '{}'::jsonb not null, task_id uuid);
create table completion_run (id uuid default uuidv7() not null, place_id integer not null, started_by text not null, created_at timestamp with time zone default clock_timestamp() not null, ended_at timestamp with time zone);
create table discovered (id uuid default uuidv7() not null, source_id uuid not null, source_body text not null, external_id text not null, title text not null, date date not null, starts_at timestamp with time zone, timezone text not null, status text default 'held'::text not null, source_url text, agenda_url text, video_url text, same_as integer, imported_at timestamp with time zone, seen_at timestamp with time zone default clock_timestamp() not null, location text, join_url text, minutes_url text, captions_url text, withdrawn_at timestamp with time zone, items_url text, same_meeting uuid);
create table drill (id uuid default uuidv7() not null, state text default 'running'::text not null, started_by text not null, started_at timestamp with time zone default clock_timestamp() not null, ended_at timestamp with time zone, report jsonb, origin text, calendar jsonb, seen_at timestamp with time zone default clock_timestamp() not null);
create table email_change (account_id uuid not null, email text not null, code_hash bytea not null, tries integer default 0 not null, expires_at timestamp with time zone not null, email_key text not null);
create table email_pref (account_id uuid not null, recaps text default 'off'::text not null, saved_searches text default 'daily'::text not null, timezone text default 'America/Chicago'::text not null);
create table feed_event (id bigint generated always as identity, channel text not null, meeting_id uuid not null, event text not null, data jsonb not null, created_at timestamp with time zone not null);
create table figure (id uuid not null, meeting_id uuid not null, title text not null, alt text not null, content_hash text not null);
create table flow (id uuid default uuidv7() not null, kind text not null, meeting_id uuid, user_clip_id uuid, clip_id uuid, subject uuid generated always as (COALESCE(meeting_id, user_clip_id, clip_id, source_id, run_id)) stored, state text default 'open'::text not null, traceparent text, created_at timestamp with time zone default clock_timestamp() not null, ended_at timestamp with time zone, source_id uuid, run_id uuid);
create table followed_body (account_id uuid not null, body_id integer not null);
create table followed_place (account_id uuid not null, place_id integer not null);
create table held_count (body_id integer not null, year smallint not null, held integer not null);
create table host_pace (host text not null, next_at timestamp with time zone not null, held_since timestamp with time zone);
create table identity (issuer text not null, subject text not null, account_id uuid not null, created_at timestamp with time zone not null);
create table lane (name text not null, at_once integer not null);
create table made_part (meeting_id uuid not null, part text not null, generator text not null, mark text not null, made_at timestamp with time zone default clock_timestamp() not null);
create table mailed (account_id uuid not null, kind text not null, subject uuid not null, meeting_id uuid not null, mailed_at timestamp with time zone not null);
create table media (key text not null, meeting_id uuid not null, role text not null, subject uuid, media_type text not null, bytes bigint not null, width integer, height integer, duration numeric(10,3), content_hash text not null);
create table meeting (id uuid not null, short_id text not null, body_id integer not null, title text not null, date date not null, year smallint generated always as (EXTRACT(year FROM date)) stored not null, starts_at timestamp with time zone, timezone text not null, status text not null, duration numeric(10,3), source_url text, agenda_url text, updated_at timestamp with time zone not null, content_hash text not null, location text, join_url text, minutes_url text, video_url text, attachments jsonb default '[]'::jsonb not null);
create table meeting_search (meeting_id uuid not null, body_id integer not null, date date not null, year smallint not null, named tsvector not null, document tsvector not null) with (toast_tuple_target=128);
create table migration (migration_id integer not null, created_at timestamp with time zone default now() not null, name text not null);
create table model_usage (id bigint generated always as identity, at timestamp with time zone not null, model text not null, purpose text not null, outcome text not null, input_tokens integer not null, output_tokens integer not null, duration_ms integer not null, cost numeric(14,8), task_id uuid, meeting_id uuid, stage text, provider text);
create table operator_action (id bigint generated always as identity, at timestamp with time zone default clock_timestamp() not null, operator text not null, action text not null, subject text not null, detail jsonb default '{}'::jsonb not null);
create table outgoing_mail (id uuid not null, "position" bigint generated always as identity, account_id uuid not null, list text not null, content jsonb not null, created_at timestamp with time zone not null, tries integer default 0 not null, next_try_at timestamp with time zone not null);
create table pipeline_log (id bigint generated always as identity, at timestamp with time zone not null, source text not null, level text not null, worker_id uuid, meeting_id uuid, task_id uuid, message text not null, fields jsonb default '{}'::jsonb not null);
create table place (id integer generated always as identity, slug text not null, name text not null, kind text not null, state text not null, county text, zips text[] default '{}'::text[] not null, latitude double precision, longitude double precision, content_hash text not null, uuid uuid default uuidv7() not null, plain text generated always as (plain_words(name)) stored not null, described text generated always as (plain_words(((((((name || ' '::text) || COALESCE(county, ''::text)) || ' '::text) || state) || ' '::text) || kind))) stored not null);
create table recap (meeting_id uuid not null, headline text not null, summary text not null, decisions jsonb not null, content_hash text not null);
create table recap_owed (account_id uuid not null, meeting_id uuid not null);
create table recap_ready (meeting_id uuid not null, ready_at timestamp with time zone not null);
create table record_revision (slot integer generated always as identity, raised bigint default 0 not null);
create table recorded_share (id bigint generated always as identity, account_id uuid not null, meeting_id uuid not null, channel text not null, created_at timestamp with time zone not null);
create table removed_media (key text not null);
create table removed_meeting (id uuid not null, short_id text not null, slug text not null, reason text, removed_at timestamp with time zone not null);
create table removed_user_clip (id uuid not null);
create table retired_slug (slug text not null, body_id integer not null);
create table saved_search (id uuid not null, account_id uuid not null, name text not null, query text not null, created_at timestamp with time zone not null, seen_until timestamp with time zone not null, seen uuid[] default '{}'::uuid[] not null);
create table search_change (xid xid8 default pg_current_xact_id() not null, meeting_id uuid, changed_at timestamp with time zone default now() not null);
create table search_segment (id uuid not null, "position" pg_snapshot not null, xid xid8 default pg_current_xact_id() not null, made_at timestamp with time zone default now() not null);
create table session (token_hash bytea not null, account_id uuid not null, created_at timestamp with time zone not null, expires_at timestamp with time zone not null);
create table setting (name text not null, value jsonb not null, updated_at timestamp with time zone not null);
create table setting_change (id bigint generated always as identity, at timestamp with time zone default clock_timestamp() not null, name text not null, before jsonb, after jsonb not null, changed_by text not null);
create table share_grant (id uuid not null, meeting_id uuid not null, account_id uuid not null, token_hash bytea not null, created_at timestamp with time zone not null, expires_at timestamp with time zone not null, redeemed_at timestamp with time zone, cookie_hash bytea);
create table sign_in (state_hash bytea not null, browser_hash bytea not null, provider text not null, nonce text not null, code_verifier text not null, return_to text not null, expires_at timestamp with time zone not null);
create table source (id uuid default uuidv7() not null, kind text not null, url text not null, place_id integer not null, every interval default '06:00:00'::interval not null, crawl_at timestamp with time zone default clock_timestamp(), created_at timestamp with time zone default clock_timestamp() not null, crawled_at timestamp with time zone, outcome text, failure text, failing_since timestamp with time zone, etag text, last_modified text);
create table source_body (source_id uuid not null, source_body text not null, body_id integer, external_id text);
create table stage_piece (task_id uuid not null, key text not null, value json not null, made_at timestamp with time zone default clock_timestamp() not null);
create table stale_meeting (meeting_id uuid not null, briefing boolean not null);
create table task (id uuid default uuidv7() not null, flow_id uuid not null, stage text not null, lane text not null, priority integer default 0 not null, state text not null, attempts integer default 0 not null, due_at timestamp with time zone default clock_timestamp() not null, progress real default 0 not null, claim uuid, held_by uuid, started_at timestamp with time zone, ended_at timestamp with time zone, failure text);
create table task_event (id bigint generated always as identity, task_id uuid not null, at timestamp with time zone default clock_timestamp() not null, kind text not null, worker_id uuid, detail text);
create table transcript (meeting_id uuid not null, version text not null, language text not null, generator text, duration numeric(10,3) not null, word_count integer not null, content_hash text not null, withheld boolean default false not null, segments bytea storage external not null);
create table transcript_chunk (meeting_id uuid not null, "position" integer not null, text text not null, starts real[] not null, words tsvector not null);
create table transcript_speaker (meeting_id uuid not null, version text not null, name text not null, start real not null, words tsvector generated always as (to_tsvector('simple'::regconfig, fold(name))) stored not null);
create table user_clip (id uuid not null, slug text not null, account_id uuid not null, meeting_id uuid not null, title text, start numeric(10,3) not null, "end" numeric(10,3) not null, state text not null, failure text, created_at timestamp with time zone not null, ready_at timestamp with time zone, shares integer default 0 not null, visits integer default 0 not null);
create table user_clip_share (user_clip_id uuid not null, day date not null, account_id uuid not null);
create table user_clip_visit (user_clip_id uuid not null, day date not null, visitor bytea not null, network bytea not null);
create table visit_salt (day date not null, salt bytea not null);
create table withdrawn_line (content_hash text not null, subject text not null);
create table word_form (word text not null, times integer not null, is_name boolean default false not null) with (fillfactor=70);
create table worker (id uuid not null, host text not null, pid integer not null, build text not null, stages text[] not null, jobs integer not null, started_at timestamp with time zone default clock_timestamp() not null, seen_at timestamp with time zone default clock_timestamp() not null, ended_at timestamp with time zone, ended_how text);
alter table account add constraint account_pkey PRIMARY KEY (id);
alter table agenda_item add constraint agenda_item_pkey PRIMARY KEY (meeting_id, id);
alter table agenda_summary add constraint agenda_summary_pkey PRIMARY KEY (meeting_id);
alter table agent_token add constraint agent_token_pkey PRIMARY KEY (id);
alter table body add constraint body_pkey PRIMARY KEY (id);
alter table body_held add constraint body_held_pkey PRIMARY KEY (body_id);
alter table body_place add constraint body_place_pkey PRIMARY KEY (body_id, place_id);
alter table briefing add constraint briefing_pkey PRIMARY KEY (meeting_id);
alter table calendar_address add constraint calendar_address_pkey PRIMARY KEY (account_id);
alter table candidate add constraint candidate_pkey PRIMARY KEY (id);
alter table chapter add constraint chapter_pkey PRIMARY KEY (meeting_id, "position");
alter table claim add constraint claim_pkey PRIMARY KEY (id);
alter table claims add constraint claims_pkey PRIMARY KEY (meeting_id);
alter table clip add constraint clip_pkey PRIMARY KEY (id);
alter table completion_audit add constraint completion_audit_pkey PRIMARY KEY (id);
alter table completion_run add constraint completion_run_pkey PRIMARY KEY (id);
alter table discovered add constraint discovered_pkey PRIMARY KEY (id);
alter table drill add constraint drill_pkey PRIMARY KEY (id);
alter table email_change add constraint email_change_pkey PRIMARY KEY (account_id);
alter table email_pref add constraint email_pref_pkey PRIMARY KEY (account_id);
alter table feed_event add constraint feed_event_pkey PRIMARY KEY (id);
alter table figure add constraint figure_pkey PRIMARY KEY (id);
alter table flow add constraint flow_pkey PRIMARY KEY (id);
alter table followed_body add constraint followed_body_pkey PRIMARY KEY (account_id, body_id);
alter table followed_place add constraint followed_place_pkey PRIMARY KEY (account_id, place_id);
alter table held_count add constraint held_count_pkey PRIMARY KEY (body_id, year);
alter table host_pace add constraint host_pace_pkey PRIMARY KEY (host);
alter table identity add constraint identity_pkey PRIMARY KEY (issuer, subject);
alter table lane add constraint lane_pkey PRIMARY KEY (name);
alter table made_part add constraint made_part_pkey PRIMARY KEY (meeting_id, part);
alter table mailed add constraint mailed_pkey PRIMARY KEY (account_id, kind, subject, meeting_id);
alter table media add constraint media_pkey PRIMARY KEY (key);
alter table meeting add constraint meeting_pkey PRIMARY KEY (id);
alter table meeting_search add constraint meeting_search_pkey PRIMARY KEY (meeting_id);
alter table migration add constraint migration_pkey PRIMARY KEY (migration_id);
alter table model_usage add constraint model_usage_pkey PRIMARY KEY (id);
alter table operator_action add constraint operator_action_pkey PRIMARY KEY (id);
alter table outgoing_mail add constraint outgoing_mail_pkey PRIMARY KEY (id);
alter table pipeline_log add constraint pipeline_log_pkey PRIMARY KEY (id);
alter table place add constraint place_pkey PRIMARY KEY (id);
alter table recap add constraint recap_pkey PRIMARY KEY (meeting_id);
alter table recap_owed add constraint recap_owed_pkey PRIMARY KEY (account_id, meeting_id);
alter table recap_ready add constraint recap_ready_pkey PRIMARY KEY (meeting_id);
alter table record_revision add constraint record_revision_pkey PRIMARY KEY (slot);
alter table recorded_share add constraint recorded_share_pkey PRIMARY KEY (id);
alter table removed_media add constraint removed_media_pkey PRIMARY KEY (key);
alter table removed_meeting add constraint removed_meeting_pkey PRIMARY KEY (id);
alter table removed_user_clip add constraint removed_user_clip_pkey PRIMARY KEY (id);
alter table retired_slug add constraint retired_slug_pkey PRIMARY KEY (slug);
alter table saved_search add constraint saved_search_pkey PRIMARY KEY (id);
alter table search_segment add constraint search_segment_pkey PRIMARY KEY (id);
alter table session add constraint session_pkey PRIMARY KEY (token_hash);
alter table setting add constraint setting_pkey PRIMARY KEY (name);
alter table setting_change add constraint setting_change_pkey PRIMARY KEY (id);
alter table share_grant add constraint share_grant_pkey PRIMARY KEY (id);
alter table sign_in add constraint sign_in_pkey PRIMARY KEY (state_hash);
alter table source add constraint source_pkey PRIMARY KEY (id);
alter table source_body add constraint source_body_pkey PRIMARY KEY (source_id, source_body);
alter table stage_piece add constraint stage_piece_pkey PRIMARY KEY (task_id, key);
alter table stale_meeting add constraint stale_meeting_pkey PRIMARY KEY (meeting_id);
alter table task add constraint task_pkey PRIMARY KEY (id);
alter table task_event add constraint task_event_pkey PRIMARY KEY (id);
alter table transcript add constraint transcript_pkey PRIMARY KEY (meeting_id, version);
alter table transcript_chunk add constraint transcript_chunk_pkey PRIMARY KEY (meeting_id, "position");
alter table transcript_speaker add constraint transcript_speaker_pkey PRIMARY KEY (meeting_id, name);
alter table user_clip add constraint user_clip_pkey PRIMARY KEY (id);
alter table user_clip_share add constraint user_clip_share_pkey PRIMARY KEY (user_clip_id, day, account_id);
alter table user_clip_visit add constraint user_clip_visit_pkey PRIMARY KEY (user_clip_id, day, visitor);
alter table visit_salt add constraint visit_salt_pkey PRIMARY KEY (day);
alter table withdrawn_line add constraint withdrawn_line_pkey PRIMARY KEY (content_hash);
alter table word_form add constraint word_form_pkey PRIMARY KEY (word);
alter table worker add constraint worker_pkey PRIMARY KEY (id);
alter table agenda_item add constraint agenda_item_meeting_id_position_key UNIQUE (meeting_id, "position") DEFERRABLE INITIALLY DEFERRED;
alter table agent_token add constraint agent_token_token_hash_key UNIQUE (token_hash);
alter table body add constraint body_slug_key UNIQUE (slug);
alter table body_place add constraint body_place_body_id_position_key UNIQUE (body_id, "position");
alter table calendar_address add constraint calendar_address_token_hash_key UNIQUE (token_hash);
alter table candidate add constraint candidate_place_id_url_key UNIQUE (place_id, url);
alter table claim add constraint claim_meeting_id_position_key UNIQUE (meeting_id, "position") DEFERRABLE INITIALLY DEFERRED;
alter table discovered add constraint discovered_source_id_external_id_key UNIQUE (source_id, external_id);
alter table meeting add constraint meeting_short_id_key UNIQUE (short_id);
alter table place add constraint place_slug_key UNIQUE (slug);
alter table place add constraint place_uuid_key UNIQUE (uuid);
alter table removed_meeting add constraint removed_meeting_short_id_key UNIQUE (short_id);
alter table share_grant add constraint share_grant_cookie_hash_key UNIQUE (cookie_hash);
alter table share_grant add constraint share_grant_token_hash_key UNIQUE (token_hash);
alter table source add constraint source_kind_url_key UNIQUE (kind, url);
alter table task add constraint task_flow_id_stage_key UNIQUE (flow_id, stage);
alter table user_clip add constraint user_clip_slug_key UNIQUE (slug);
alter table account add constraint account_email_check CHECK ((email <> ''::text));
alter table agenda_item add constraint agenda_item_start_check CHECK ((start >= (0)::numeric));
alter table agent_token add constraint agent_token_machine_check CHECK ((machine <> ''::text));
alter table body add constraint body_kind_check CHECK ((kind = ANY (ARRAY['city_council'::text, 'school_board'::text, 'planning_commission'::text, 'county_board'::text, 'committee'::text, 'other'::text])));
alter table body add constraint body_name_check CHECK ((name <> ''::text));
alter table body add constraint body_segment_check CHECK ((segment ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text));
alter table body add constraint body_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text));
alter table body_held add constraint body_held_held_check CHECK ((held >= 0));
alter table candidate add constraint candidate_name_check CHECK ((name <> ''::text));
alter table chapter add constraint chapter_check CHECK (("end" >= start));
alter table chapter add constraint chapter_start_check CHECK ((start >= (0)::numeric));
alter table claim add constraint claim_check CHECK (((verdict IS NULL) = (checked_at IS NULL)));
alter table claim add constraint claim_verdict_check CHECK ((verdict = ANY (ARRAY['supported'::text, 'unsupported'::text, 'contradicted'::text])));
alter table clip add constraint clip_check CHECK (("end" > start));
alter table clip add constraint clip_start_check CHECK ((start >= (0)::numeric));
alter table clip add constraint clip_state_check CHECK ((state = ANY (ARRAY['published'::text, 'proposal'::text, 'dismissed'::text, 'alternate'::text])));
alter table discovered add constraint discovered_status_check CHECK ((status = ANY (ARRAY['upcoming'::text, 'held'::text, 'cancelled'::text])));
alter table discovered add constraint discovered_title_check CHECK ((title <> ''::text));
alter table drill add constraint drill_check CHECK (((state = 'running'::text) = (ended_at IS NULL)));
alter table drill add constraint drill_check1 CHECK (((state = 'running'::text) OR (calendar IS NULL)));
alter table drill add constraint drill_state_check CHECK ((state = ANY (ARRAY['running'::text, 'passed'::text, 'failed'::text])));
alter table email_change add constraint email_change_code_hash_check CHECK ((length(code_hash) = 32));
alter table email_pref add constraint email_pref_recaps_check CHECK ((recaps = ANY (ARRAY['each'::text, 'daily'::text, 'weekly'::text, 'off'::text])));
alter table email_pref add constraint email_pref_saved_searches_check CHECK ((saved_searches = ANY (ARRAY['daily'::text, 'weekly'::text, 'off'::text])));
alter table feed_event add constraint feed_event_channel_check CHECK ((channel = ANY (ARRAY['meetings'::text, 'meeting'::text])));
alter table flow add constraint flow_check1 CHECK (((state = 'open'::text) = (ended_at IS NULL)));
alter table flow add constraint flow_one_subject CHECK ((num_nonnulls(meeting_id, user_clip_id, clip_id, source_id, run_id) <= 1));
alter table flow add constraint flow_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'failed'::text, 'cancelled'::text])));
alter table held_count add constraint held_count_held_check CHECK ((held >= 0));
alter table lane add constraint lane_at_once_check CHECK ((at_once >= 0));
alter table mailed add constraint mailed_kind_check CHECK ((kind = ANY (ARRAY['recap'::text, 'saved_search'::text])));
alter table media add constraint media_bytes_check CHECK ((bytes >= 0));
alter table media add constraint media_check CHECK (((subject IS NOT NULL) = (role = ANY (ARRAY['figure'::text, 'clip'::text]))));
alter table media add constraint media_role_check CHECK ((role = ANY (ARRAY['source'::text, 'rendition'::text, 'poster'::text, 'agenda'::text, 'figure'::text, 'clip'::text])));
alter table meeting add constraint meeting_duration_check CHECK ((duration >= (0)::numeric));
alter table meeting add constraint meeting_short_id_check CHECK ((short_id ~ '^[0-9a-f]{8,32}$'::text));
alter table meeting add constraint meeting_status_check CHECK ((status = ANY (ARRAY['upcoming'::text, 'held'::text, 'cancelled'::text])));
alter table meeting add constraint meeting_title_check CHECK ((title <> ''::text));
alter table model_usage add constraint model_usage_cost_check CHECK ((cost >= (0)::numeric));
alter table model_usage add constraint model_usage_duration_ms_check CHECK ((duration_ms >= 0));
alter table model_usage add constraint model_usage_input_tokens_check CHECK ((input_tokens >= 0));
alter table model_usage add constraint model_usage_output_tokens_check CHECK ((output_tokens >= 0));
alter table outgoing_mail add constraint outgoing_mail_list_check CHECK ((list = ANY (ARRAY['recaps'::text, 'saved_searches'::text])));
alter table pipeline_log add constraint pipeline_log_level_check CHECK ((level = ANY (ARRAY['trace'::text, 'debug'::text, 'info'::text, 'warn'::text, 'error'::text, 'fatal'::text])));
alter table place add constraint place_kind_check CHECK ((kind = ANY (ARRAY['city'::text, 'county'::text])));
alter table place add constraint place_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)));
alter table place add constraint place_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)));
alter table place add constraint place_name_check CHECK ((name <> ''::text));
alter table place add constraint place_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text));
alter table place add constraint place_state_check CHECK ((state ~ '^[A-Z]{2}$'::text));
alter table recorded_share add constraint recorded_share_channel_check CHECK ((channel = ANY (ARRAY['link'::text, 'email'::text, 'sms'::text, 'native'::text])));
alter table removed_meeting add constraint removed_meeting_reason_check CHECK ((reason <> ''::text));
alter table removed_meeting add constraint removed_meeting_short_id_check CHECK ((short_id ~ '^[0-9a-f]{8,32}$'::text));
alter table retired_slug add constraint retired_slug_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text));
alter table session add constraint session_token_hash_check CHECK ((length(token_hash) = 32));
alter table share_grant add constraint share_grant_check CHECK (((redeemed_at IS NULL) = (cookie_hash IS NULL)));
alter table share_grant add constraint share_grant_cookie_hash_check CHECK ((length(cookie_hash) = 32));
alter table share_grant add constraint share_grant_token_hash_check CHECK ((length(token_hash) = 32));
alter table sign_in add constraint sign_in_browser_hash_check CHECK ((length(browser_hash) = 32));
alter table sign_in add constraint sign_in_state_hash_check CHECK ((length(state_hash) = 32));
alter table source add constraint source_check CHECK (((crawled_at IS NULL) = (outcome IS NULL)));
alter table source add constraint source_check1 CHECK (((NOT (outcome IS DISTINCT FROM 'failed'::text)) = (failing_since IS NOT NULL)));
alter table source add constraint source_every_check CHECK ((every >= '00:01:00'::interval));
alter table source add constraint source_kind_check CHECK ((kind = ANY (ARRAY['legistar'::text, 'ical'::text, 'rss'::text, 'json'::text])));
alter table source add constraint source_outcome_check CHECK ((outcome = ANY (ARRAY['ok'::text, 'failed'::text])));
alter table source_body add constraint source_body_source_body_check CHECK ((source_body <> ''::text));
alter table task add constraint task_attempts_check CHECK ((attempts >= 0));
alter table task add constraint task_check CHECK (((state = 'running'::text) = (held_by IS NOT NULL)));
alter table task add constraint task_check1 CHECK (((held_by IS NULL) = (claim IS NULL)));
alter table task add constraint task_progress_check CHECK (((progress >= (0)::double precision) AND (progress <= (1)::double precision)));
alter table task add constraint task_state_check CHECK ((state = ANY (ARRAY['blocked'::text, 'waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])));
alter table transcript add constraint only_raw_withheld CHECK (((NOT withheld) OR (version = 'raw'::text)));
alter table transcript add constraint transcript_duration_check CHECK ((duration >= (0)::numeric));
alter table transcript add constraint transcript_version_check CHECK ((version = ANY (ARRAY['refined'::text, 'raw'::text])));
alter table transcript add constraint transcript_word_count_check CHECK ((word_count >= 0));
alter table user_clip add constraint user_clip_check CHECK ((("end" > start) AND (("end" - start) <= (300)::numeric)));
alter table user_clip add constraint user_clip_check1 CHECK (((state = 'ready'::text) = (ready_at IS NOT NULL)));
alter table user_clip add constraint user_clip_check2 CHECK (((state = 'failed'::text) = (failure IS NOT NULL)));
alter table user_clip add constraint user_clip_start_check CHECK ((start >= (0)::numeric));
alter table user_clip add constraint user_clip_state_check CHECK ((state = ANY (ARRAY['rendering'::text, 'ready'::text, 'failed'::text])));
alter table user_clip_visit add constraint user_clip_visit_network_check CHECK ((length(network) = 32));
alter table user_clip_visit add constraint user_clip_visit_visitor_check CHECK ((length(visitor) = 32));
alter table visit_salt add constraint visit_salt_salt_check CHECK ((length(salt) = 32));
alter table word_form add constraint word_form_times_check CHECK ((times > 0));
alter table word_form add constraint word_form_word_check CHECK (is_word(word));
alter table worker add constraint worker_check CHECK (((ended_at IS NULL) = (ended_how IS NULL)));
alter table worker add constraint worker_ended_how_check CHECK ((ended_how = ANY (ARRAY['stopped'::text, 'silent'::text])));
alter table worker add constraint worker_jobs_check CHECK ((jobs > 0));
alter table agenda_item add constraint agenda_item_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table agenda_summary add constraint agenda_summary_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table agent_token add constraint agent_token_run_id_fkey FOREIGN KEY (run_id) REFERENCES completion_run(id) ON DELETE CASCADE;
alter table body_held add constraint body_held_body_id_fkey FOREIGN KEY (body_id) REFERENCES body(id) ON DELETE CASCADE;
alter table body_place add constraint body_place_body_id_fkey FOREIGN KEY (body_id) REFERENCES body(id) ON DELETE CASCADE;
alter table body_place add constraint body_place_place_id_fkey FOREIGN KEY (place_id) REFERENCES place(id);
alter table briefing add constraint briefing_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table calendar_address add constraint calendar_address_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table candidate add constraint candidate_place_id_fkey FOREIGN KEY (place_id) REFERENCES place(id) ON DELETE CASCADE;
alter table chapter add constraint chapter_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table claim add constraint claim_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES claims(meeting_id) ON DELETE CASCADE;
alter table claims add constraint claims_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table clip add constraint clip_meeting_id_agenda_item_id_fkey FOREIGN KEY (meeting_id, agenda_item_id) REFERENCES agenda_item(meeting_id, id) ON DELETE SET NULL (agenda_item_id);
alter table clip add constraint clip_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table completion_run add constraint completion_run_place_id_fkey FOREIGN KEY (place_id) REFERENCES place(id) ON DELETE CASCADE;
alter table discovered add constraint discovered_same_as_fkey FOREIGN KEY (same_as) REFERENCES body(id) ON DELETE SET NULL;
alter table discovered add constraint discovered_same_meeting_fkey FOREIGN KEY (same_meeting) REFERENCES meeting(id) ON DELETE SET NULL;
alter table discovered add constraint discovered_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(id) ON DELETE CASCADE;
alter table discovered add constraint discovered_source_id_source_body_fkey FOREIGN KEY (source_id, source_body) REFERENCES source_body(source_id, source_body) ON DELETE CASCADE;
alter table email_change add constraint email_change_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table email_pref add constraint email_pref_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table figure add constraint figure_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table flow add constraint flow_clip_id_fkey FOREIGN KEY (clip_id) REFERENCES clip(id) ON DELETE CASCADE;
alter table flow add constraint flow_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table flow add constraint flow_run_id_fkey FOREIGN KEY (run_id) REFERENCES completion_run(id) ON DELETE CASCADE;
alter table flow add constraint flow_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(id) ON DELETE CASCADE;
alter table flow add constraint flow_user_clip_id_fkey FOREIGN KEY (user_clip_id) REFERENCES user_clip(id) ON DELETE CASCADE;
alter table followed_body add constraint followed_body_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table followed_body add constraint followed_body_body_id_fkey FOREIGN KEY (body_id) REFERENCES body(id) ON DELETE CASCADE;
alter table followed_place add constraint followed_place_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table followed_place add constraint followed_place_place_id_fkey FOREIGN KEY (place_id) REFERENCES place(id) ON DELETE CASCADE;
alter table held_count add constraint held_count_body_id_fkey FOREIGN KEY (body_id) REFERENCES body(id) ON DELETE CASCADE;
alter table identity add constraint identity_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table made_part add constraint made_part_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table mailed add constraint mailed_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table mailed add constraint mailed_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table media add constraint media_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table meeting add constraint meeting_body_id_fkey FOREIGN KEY (body_id) REFERENCES body(id);
alter table meeting_search add constraint meeting_search_body_id_fkey FOREIGN KEY (body_id) REFERENCES body(id);
alter table meeting_search add constraint meeting_search_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table outgoing_mail add constraint outgoing_mail_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table recap add constraint recap_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table recap_owed add constraint recap_owed_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table recap_owed add constraint recap_owed_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES recap_ready(meeting_id) ON DELETE CASCADE;
alter table recap_ready add constraint recap_ready_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table recorded_share add constraint recorded_share_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table recorded_share add constraint recorded_share_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table retired_slug add constraint retired_slug_body_id_fkey FOREIGN KEY (body_id) REFERENCES body(id) ON DELETE CASCADE;
alter table saved_search add constraint saved_search_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table session add constraint session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table share_grant add constraint share_grant_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table share_grant add constraint share_grant_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table source add constraint source_place_id_fkey FOREIGN KEY (place_id) REFERENCES place(id);
alter table source_body add constraint source_body_body_id_fkey FOREIGN KEY (body_id) REFERENCES body(id) ON DELETE SET NULL;
alter table source_body add constraint source_body_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(id) ON DELETE CASCADE;
alter table stage_piece add constraint stage_piece_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id) ON DELETE CASCADE;
alter table stale_meeting add constraint stale_meeting_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table task add constraint task_flow_id_fkey FOREIGN KEY (flow_id) REFERENCES flow(id) ON DELETE CASCADE;
alter table task add constraint task_held_by_fkey FOREIGN KEY (held_by) REFERENCES worker(id);
alter table task add constraint task_lane_fkey FOREIGN KEY (lane) REFERENCES lane(name);
alter table task_event add constraint task_event_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id) ON DELETE CASCADE;
alter table transcript add constraint transcript_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table transcript_chunk add constraint transcript_chunk_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table transcript_speaker add constraint transcript_speaker_meeting_id_version_fkey FOREIGN KEY (meeting_id, version) REFERENCES transcript(meeting_id, version) ON DELETE CASCADE;
alter table user_clip add constraint user_clip_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table user_clip add constraint user_clip_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE;
alter table user_clip_share add constraint user_clip_share_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table user_clip_share add constraint user_clip_share_user_clip_id_fkey FOREIGN KEY (user_clip_id) REFERENCES user_clip(id) ON DELETE CASCADE;
alter table user_clip_visit add constraint user_clip_visit_user_clip_id_fkey FOREIGN KEY (user_clip_id) REFERENCES user_clip(id) ON DELETE CASCADE;
CREATE INDEX agent_token_run ON public.agent_token USING btree (run_id) WHERE (run_id IS NOT NULL);
CREATE INDEX body_described ON public.body USING gin (described gin_trgm_ops);
CREATE INDEX body_name_trgm ON public.body USING gin (fold(name) gin_trgm_ops);
CREATE INDEX body_name_words ON public.body USING gin (to_tsvector('simple'::regconfig, fold(name)));
CREATE INDEX body_place_place ON public.body_place USING btree (place_id);
CREATE INDEX clip_agenda_item ON public.clip USING btree (meeting_id, agenda_item_id);
CREATE INDEX clip_meeting ON public.clip USING btree (meeting_id, start, id);
CREATE INDEX completion_audit_at ON public.completion_audit USING btree (at);
CREATE INDEX completion_audit_run ON public.completion_audit USING btree (run_id, id);
CREATE INDEX discovered_body ON public.discovered USING btree (source_id, source_body);
CREATE INDEX discovered_imported ON public.discovered USING btree (source_id, date) WHERE (imported_at IS NOT NULL);
CREATE INDEX discovered_open ON public.discovered USING btree (source_id, date DESC, id) WHERE (imported_at IS NULL);
CREATE INDEX discovered_same_as ON public.discovered USING btree (same_as);
CREATE INDEX discovered_same_meeting ON public.discovered USING btree (same_meeting) WHERE (same_meeting IS NOT NULL);
CREATE INDEX feed_event_of_meeting ON public.feed_event USING btree (meeting_id, id) WHERE (channel = 'meeting'::text);
CREATE INDEX figure_meeting ON public.figure USING btree (meeting_id, id);
CREATE INDEX flow_clip ON public.flow USING btree (clip_id) WHERE (clip_id IS NOT NULL);
CREATE INDEX flow_ended ON public.flow USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX flow_meeting ON public.flow USING btree (meeting_id, kind, created_at DESC) WHERE (meeting_id IS NOT NULL);
CREATE INDEX flow_run ON public.flow USING btree (run_id, created_at DESC) WHERE (run_id IS NOT NULL);
CREATE INDEX flow_source ON public.flow USING btree (source_id, created_at DESC) WHERE (source_id IS NOT NULL);
CREATE INDEX flow_subject ON public.flow USING btree (subject, kind, created_at DESC);
CREATE INDEX flow_user_clip ON public.flow USING btree (user_clip_id) WHERE (user_clip_id IS NOT NULL);
CREATE INDEX followed_body_body ON public.followed_body USING btree (body_id);
CREATE INDEX followed_place_place ON public.followed_place USING btree (place_id);
CREATE INDEX identity_account ON public.identity USING btree (account_id);
CREATE INDEX mailed_meeting ON public.mailed USING btree (meeting_id);
CREATE INDEX meeting_body_newest ON public.meeting USING btree (body_id, date DESC, id) WHERE (status = 'held'::text);
CREATE INDEX meeting_body_to_come ON public.meeting USING btree (body_id) WHERE (status <> 'held'::text);
CREATE INDEX meeting_held_newest ON public.meeting USING btree (date DESC, id) WHERE (status = 'held'::text);
CREATE INDEX meeting_held_updated ON public.meeting USING btree (updated_at DESC, id) WHERE (status = 'held'::text);
CREATE INDEX meeting_search_body ON public.meeting_search USING btree (body_id);
CREATE INDEX meeting_search_document ON public.meeting_search USING gin (document);
CREATE INDEX meeting_to_come ON public.meeting USING btree (date, body_id, id) WHERE (status <> 'held'::text);
CREATE INDEX model_usage_at ON public.model_usage USING btree (at);
CREATE INDEX model_usage_meeting ON public.model_usage USING btree (meeting_id) WHERE (meeting_id IS NOT NULL);
CREATE INDEX model_usage_task ON public.model_usage USING btree (task_id) WHERE (task_id IS NOT NULL);
CREATE INDEX operator_action_at ON public.operator_action USING btree (at);
CREATE INDEX outgoing_mail_account ON public.outgoing_mail USING btree (account_id);
CREATE INDEX outgoing_mail_next ON public.outgoing_mail USING btree (next_try_at, "position");
CREATE INDEX pipeline_log_at ON public.pipeline_log USING btree (at);
CREATE INDEX pipeline_log_meeting_id ON public.pipeline_log USING btree (meeting_id, id) WHERE (meeting_id IS NOT NULL);
CREATE INDEX pipeline_log_task_id ON public.pipeline_log USING btree (task_id, id) WHERE (task_id IS NOT NULL);
CREATE INDEX pipeline_log_worker_id ON public.pipeline_log USING btree (worker_id, id) WHERE (worker_id IS NOT NULL);
CREATE INDEX place_described ON public.place USING gin (described gin_trgm_ops);
CREATE INDEX place_name_trgm ON public.place USING gin (fold(name) gin_trgm_ops);
CREATE INDEX place_name_words ON public.place USING gin (to_tsvector('simple'::regconfig, fold(name)));
CREATE INDEX place_plain ON public.place USING btree (plain);
CREATE INDEX place_zips ON public.place USING gin (zips);
CREATE INDEX recap_owed_meeting ON public.recap_owed USING btree (meeting_id);
CREATE INDEX recorded_share_account ON public.recorded_share USING btree (account_id);
CREATE INDEX recorded_share_meeting ON public.recorded_share USING btree (meeting_id);
CREATE INDEX removed_meeting_newest ON public.removed_meeting USING btree (removed_at, id);
CREATE INDEX retired_slug_body ON public.retired_slug USING btree (body_id);
CREATE INDEX search_change_xid ON public.search_change USING btree (xid);
CREATE INDEX session_account ON public.session USING btree (account_id);
CREATE INDEX session_expiry ON public.session USING btree (expires_at);
CREATE INDEX setting_change_at ON public.setting_change USING btree (at);
CREATE INDEX setting_change_name ON public.setting_change USING btree (name, id);
CREATE INDEX share_grant_account ON public.share_grant USING btree (account_id);
CREATE INDEX share_grant_expiry ON public.share_grant USING btree (expires_at);
CREATE INDEX share_grant_meeting ON public.share_grant USING btree (meeting_id);
CREATE INDEX sign_in_expiry ON public.sign_in USING btree (expires_at);
CREATE INDEX source_body_body ON public.source_body USING btree (body_id);
CREATE INDEX source_body_external ON public.source_body USING btree (source_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX source_due ON public.source USING btree (crawl_at) WHERE (crawl_at IS NOT NULL);
CREATE INDEX source_place ON public.source USING btree (place_id);
CREATE INDEX task_due ON public.task USING btree (lane, priority DESC, due_at, flow_id) WHERE (state = 'waiting'::text);
CREATE INDEX task_event_task ON public.task_event USING btree (task_id, id);
CREATE INDEX task_failed ON public.task USING btree (ended_at DESC) WHERE (state = 'failed'::text);
CREATE INDEX task_held ON public.task USING btree (held_by) WHERE (held_by IS NOT NULL);
CREATE INDEX task_running ON public.task USING btree (lane) WHERE (state = 'running'::text);
CREATE INDEX transcript_chunk_words ON public.transcript_chunk USING gin (words);
CREATE INDEX transcript_speaker_words ON public.transcript_speaker USING gin (words);
CREATE INDEX user_clip_account ON public.user_clip USING btree (account_id, meeting_id);
CREATE INDEX user_clip_meeting ON public.user_clip USING btree (meeting_id, created_at, id);
CREATE INDEX user_clip_share_account ON public.user_clip_share USING btree (account_id);
CREATE INDEX user_clip_share_day ON public.user_clip_share USING btree (day);
CREATE INDEX user_clip_visit_day ON public.user_clip_visit USING btree (day);
CREATE INDEX user_clip_visit_network ON public.user_clip_visit USING btree (user_clip_id, day, network);
CREATE INDEX withdrawn_line_subject ON public.withdrawn_line USING btree (subject);
CREATE INDEX word_form_end ON public.word_form USING btree ("right"(word, 2), length(word));
CREATE INDEX word_form_sound ON public.word_form USING btree (dmetaphone(word));
CREATE INDEX word_form_start ON public.word_form USING btree ("left"(word, 1), length(word));
CREATE UNIQUE INDEX account_email_key ON public.account USING btree (email_key);
CREATE UNIQUE INDEX completion_run_open ON public.completion_run USING btree (place_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX flow_once ON public.flow USING btree (kind, subject) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX media_of_meeting ON public.media USING btree (meeting_id, role, subject) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX saved_search_query ON public.saved_search USING btree (account_id, md5(query));
create view published_briefing as  SELECT meeting_id,
    headline,
    content,
    generator,
    published_at,
    content_hash
   FROM briefing b
  WHERE (COALESCE(( SELECT (setting.value = 'false'::jsonb)
           FROM setting
          WHERE (setting.name = 'pipeline.ClaimCheck'::text)), false) OR (NOT (EXISTS ( SELECT
           FROM claim c
          WHERE ((c.meeting_id = b.meeting_id) AND (c.verdict IS NULL))))));
create view published_transcript as  SELECT meeting_id,
    version,
    language,
    generator,
    duration,
    word_count,
    content_hash,
    withheld,
    segments
   FROM transcript
  WHERE (NOT withheld);
CREATE OR REPLACE FUNCTION public.bodies_like(word text)
 RETURNS SETOF integer
 LANGUAGE sql
 STABLE ROWS 50
 SET "pg_trgm.word_similarity_threshold" TO '0.35'
BEGIN ATOMIC
 SELECT body.id
    FROM body
   WHERE (body.described %> bodies_like.word);
END;
CREATE OR REPLACE FUNCTION public.places_like(word text)
 RETURNS SETOF integer
 LANGUAGE sql
 STABLE ROWS 50
 SET "pg_trgm.word_similarity_threshold" TO '0.35'
BEGIN ATOMIC
 SELECT place.id
    FROM place
   WHERE (place.described %> places_like.word);
END;
CREATE CONSTRAINT TRIGGER meeting_counted_in AFTER INSERT ON public.meeting DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.status = 'held'::text)) EXECUTE FUNCTION count_held();
CREATE CONSTRAINT TRIGGER meeting_counted_out AFTER DELETE ON public.meeting DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.status = 'held'::text)) EXECUTE FUNCTION count_held();
CREATE CONSTRAINT TRIGGER meeting_recounted AFTER UPDATE ON public.meeting DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.body_id IS DISTINCT FROM new.body_id) OR (old.year IS DISTINCT FROM new.year)) OR (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION count_held();
CREATE TRIGGER body_added AFTER INSERT ON public.body REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_directory();
CREATE TRIGGER body_changed AFTER UPDATE ON public.body REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_directory();
CREATE TRIGGER body_name_noted AFTER INSERT OR UPDATE OF name ON public.body FOR EACH ROW EXECUTE FUNCTION note_name();
CREATE TRIGGER body_place_scope AFTER INSERT OR DELETE OR UPDATE ON public.body_place FOR EACH ROW EXECUTE FUNCTION body_scope_of_link();
CREATE TRIGGER body_removed AFTER DELETE ON public.body REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_directory();
CREATE TRIGGER body_scope AFTER INSERT OR UPDATE OF name, kind ON public.body FOR EACH ROW EXECUTE FUNCTION body_scope_of_body();
CREATE TRIGGER body_slug_space BEFORE INSERT OR UPDATE OF slug ON public.body FOR EACH ROW EXECUTE FUNCTION refuse_retired_slug();
CREATE TRIGGER feed_announced AFTER INSERT ON public.feed_event FOR EACH STATEMENT EXECUTE FUNCTION announce_feed();
CREATE TRIGGER held_summed AFTER INSERT OR DELETE OR UPDATE ON public.held_count FOR EACH ROW EXECUTE FUNCTION sum_held();
CREATE TRIGGER meeting_search_added AFTER INSERT ON public.meeting_search REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER meeting_search_changed AFTER UPDATE ON public.meeting_search REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER meeting_search_removed AFTER DELETE ON public.meeting_search REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER meeting_short_id BEFORE INSERT ON public.meeting FOR EACH ROW EXECUTE FUNCTION give_short_id();
CREATE TRIGGER part_added AFTER INSERT ON public.briefing REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER part_added AFTER INSERT ON public.clip REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER part_added AFTER INSERT ON public.media REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER part_added AFTER INSERT ON public.transcript REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER part_changed AFTER UPDATE ON public.briefing REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER part_changed AFTER UPDATE ON public.clip REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER part_changed AFTER UPDATE ON public.media REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER part_changed AFTER UPDATE ON public.transcript REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER part_removed AFTER DELETE ON public.briefing REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER part_removed AFTER DELETE ON public.clip REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER part_removed AFTER DELETE ON public.media REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER part_removed AFTER DELETE ON public.transcript REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_searched();
CREATE TRIGGER place_name_noted AFTER INSERT OR UPDATE OF name ON public.place FOR EACH ROW EXECUTE FUNCTION note_name();
CREATE TRIGGER place_scope AFTER UPDATE ON public.place FOR EACH ROW EXECUTE FUNCTION body_scope_of_place();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OF title, start, "end", state, slug OR TRUNCATE ON public.user_clip FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.agenda_item FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.agenda_summary FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.body FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.body_held FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.body_place FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.briefing FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.chapter FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.claim FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.claims FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.clip FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.figure FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.held_count FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.media FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.meeting FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.meeting_search FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.place FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.recap FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.removed_meeting FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.retired_slug FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.setting FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.transcript FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.transcript_chunk FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER raises_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.transcript_speaker FOR EACH STATEMENT EXECUTE FUNCTION raise_record_revision();
CREATE TRIGGER retired_slug_added AFTER INSERT ON public.retired_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_directory();
CREATE TRIGGER retired_slug_changed AFTER UPDATE ON public.retired_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_directory();
CREATE TRIGGER retired_slug_removed AFTER DELETE ON public.retired_slug REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_directory();
CREATE TRIGGER retired_slug_scope AFTER INSERT OR DELETE OR UPDATE ON public.retired_slug FOR EACH ROW EXECUTE FUNCTION body_scope_of_link();
CREATE TRIGGER retired_slug_space BEFORE INSERT OR UPDATE ON public.retired_slug FOR EACH ROW EXECUTE FUNCTION refuse_live_slug();
CREATE TRIGGER user_clip_removed AFTER DELETE ON public.user_clip FOR EACH ROW EXECUTE FUNCTION remember_removed_user_clip();
comment on column transcript.segments is 'A JSON array of segments in UTF-8, compressed with Zstandard.';
comment on column transcript_chunk.starts is 'The second at which each position of words is said.';
comment on function word_positions is 'For each position of search_vector(value) the number of the word that it is of; single spaces separate the words.';
insert into lane values ('local', 16), ('media', 64), ('model', 4), ('speech', 2), ('web', 8);
insert into record_revision (raised) values (1);
insert into migration (migration_id, name) select id, 'migration_' || id from generate_series(1, 43) id where id not in (20, 24, 28, 35);
-- A row of everything that an operator would miss, written by the triggers and functions above.
insert into place (slug, name, kind, state, county, content_hash) values ('springfield', 'Springfield', 'city', 'IL', 'Sangamon', '');
insert into body (slug, segment, name, kind, content_hash) values ('council', 'council', 'City Council', 'city_council', '');
insert into body_place (body_id, place_id, position) select b.id, p.id, 0 from body b, place p;
insert into retired_slug (slug, body_id) select 'board', id from body;
insert into meeting (id, body_id, title, date, timezone, status, duration, updated_at, content_hash) select '11111111-0000-4000-8000-000000000001', id, 'Regular Meeting', '2026-03-10', 'America/Chicago', 'held', 8, '2026-03-11', '' from body;
insert into meeting (id, body_id, title, date, timezone, status, updated_at, content_hash) select '11111111-0000-4000-8000-000000000002', id, 'Special Meeting', '2026-03-17', 'America/Chicago', 'cancelled', '2026-03-11', '' from body;
insert into removed_meeting (id, short_id, slug, reason, removed_at) values ('11111111-0000-4000-8000-000000000003', '111111113', 'council-2026-02-10', 'Duplicate', '2026-02-11');
insert into agenda_item (id, meeting_id, position, number, title, description, outcome) values ('22222222-0000-4000-8000-000000000001', '11111111-0000-4000-8000-000000000001', 1, '24-117', 'Greenway extension', 'Bonds', 'Passed');
insert into chapter (meeting_id, position, title, start, "end") values ('11111111-0000-4000-8000-000000000001', 1, 'Opening', 0, 8);
insert into clip (id, meeting_id, title, start, "end", agenda_item_id, state, content_hash) values ('33333333-0000-4000-8000-000000000001', '11111111-0000-4000-8000-000000000001', 'The vote', 0, 4, '22222222-0000-4000-8000-000000000001', 'published', '');
insert into transcript (meeting_id, version, language, duration, word_count, content_hash, segments) values ('11111111-0000-4000-8000-000000000001', 'refined', 'en', 8, 12, '', decode('28b52ffd0048850300a2c7181b80b939487aebb29c953134b6f2d350c345a52ea4619b263483000287c7066b98b79c3d9578ec0def8d42081ce8b1a1de2c65183ca6dcf22be29eec21b912780d9dfc15b9270527afe26be45cda06874ae064fd826798d191acf24680e4555ce6852103004a2802f93cb00867', 'hex'));
insert into transcript_chunk (meeting_id, position, text, starts, words) select '11111111-0000-4000-8000-000000000001', 1, said, position_starts(said, '{0,0.5,1,1.5,2,2.5,3,4,4.5,5,5.5,6}'), search_vector(said) from (values ('The greenway along the creek is approved. Five ayes and two nays.')) t (said);
insert into transcript_speaker (meeting_id, version, name, start) values ('11111111-0000-4000-8000-000000000001', 'refined', 'Ada Byron', 0);
insert into briefing (meeting_id, headline, content, published_at, content_hash) values ('11111111-0000-4000-8000-000000000001', 'Greenway approved', '{"worth_watching": [], "topics": [{"title": "Greenway", "figures": [], "sentences": [{"text": "The greenway was approved.", "citations": [], "claim": "44444444-0000-4000-8000-000000000001"}, {"text": "It was close.", "citations": [], "claim": "44444444-0000-4000-8000-000000000002"}]}]}', '2026-03-12', '');
insert into claims (meeting_id, content_hash, checked_by) values ('11111111-0000-4000-8000-000000000001', '', 'rules-1 verify-1');
insert into claim (id, meeting_id, position, topic, text, verdict, evidence, checked_at) values ('44444444-0000-4000-8000-000000000001', '11111111-0000-4000-8000-000000000001', 1, 'Greenway', 'The greenway was approved.', 'supported', '[]', '2026-03-12'), ('44444444-0000-4000-8000-000000000002', '11111111-0000-4000-8000-000000000001', 2, 'Greenway', 'It was close.', 'contradicted', '[]', '2026-03-12');
insert into recap (meeting_id, headline, summary, decisions, content_hash) values ('11111111-0000-4000-8000-000000000001', 'Greenway', 'Approved.', '[]', '');
insert into agenda_summary (meeting_id, items, content_hash) values ('11111111-0000-4000-8000-000000000001', '[{"title": "Greenway", "summary": "A path."}]', '');
insert into media (key, meeting_id, role, media_type, bytes, content_hash) values ('meetings/11111111-0000-4000-8000-000000000001/agenda.pdf', '11111111-0000-4000-8000-000000000001', 'agenda', 'application/pdf', 10, '');
insert into media (key, meeting_id, role, subject, media_type, bytes, content_hash) values ('meetings/11111111-0000-4000-8000-000000000001/clips/33333333-0000-4000-8000-000000000001.mp4', '11111111-0000-4000-8000-000000000001', 'clip', '33333333-0000-4000-8000-000000000001', 'video/mp4', 10, '');
insert into word_form (word, times) values ('greenway', 3);
insert into made_part (meeting_id, part, generator, mark) values ('11111111-0000-4000-8000-000000000001', 'refined', 'refine-1', 'x');
insert into stale_meeting (meeting_id, briefing) values ('11111111-0000-4000-8000-000000000002', false);
insert into account (id, email, email_key, created_at) values ('55555555-0000-4000-8000-000000000001', 'Ada@example.org', 'ada@example.org', '2026-01-01');
insert into session (token_hash, account_id, created_at, expires_at) values (sha256('token'), '55555555-0000-4000-8000-000000000001', '2026-01-01', '2100-01-01');
insert into followed_body (account_id, body_id) select '55555555-0000-4000-8000-000000000001', id from body;
insert into saved_search (id, account_id, name, query, created_at, seen_until) values ('66666666-0000-4000-8000-000000000001', '55555555-0000-4000-8000-000000000001', 'Greenway', 'q=greenway', '2026-01-01', '2026-01-01');
insert into user_clip (id, slug, account_id, meeting_id, start, "end", state, created_at, ready_at) values ('77777777-0000-4000-8000-000000000001', 'abcdef', '55555555-0000-4000-8000-000000000001', '11111111-0000-4000-8000-000000000001', 0, 4, 'ready', '2026-03-12', '2026-03-12');
insert into mailed (account_id, kind, subject, meeting_id, mailed_at) values ('55555555-0000-4000-8000-000000000001', 'recap', '11111111-0000-4000-8000-000000000001', '11111111-0000-4000-8000-000000000001', '2026-03-12');
insert into source (id, kind, url, place_id, crawl_at) select '88888888-0000-4000-8000-000000000001', 'ical', 'https://city.example/calendar.ics', id, null from place;
insert into source_body (source_id, source_body, body_id) select '88888888-0000-4000-8000-000000000001', 'City Council', id from body;
insert into discovered (id, source_id, source_body, external_id, title, date, timezone) values ('11111111-0000-4000-8000-000000000004', '88888888-0000-4000-8000-000000000001', 'City Council', '1', 'Regular Meeting', '2026-03-24', 'America/Chicago');
insert into completion_run (id, place_id, started_by, created_at, ended_at) select '99999999-0000-4000-8000-000000000001', id, 'op@example.org', '2026-03-01', '2026-03-02' from place;
insert into agent_token (id, machine, token_hash, run_id, created_by) values ('99999999-0000-4000-8000-000000000002', 'agent', sha256('agent'), '99999999-0000-4000-8000-000000000001', 'op@example.org');
insert into completion_audit (at, run_id, token_id, machine, operation, subject, changed, detail) values ('2026-03-01', '99999999-0000-4000-8000-000000000001', '99999999-0000-4000-8000-000000000002', 'agent', 'addSource', '88888888-0000-4000-8000-000000000001', true, '{"kind": "ical"}'), ('2026-03-01', '99999999-0000-4000-8000-000000000001', '99999999-0000-4000-8000-000000000002', 'agent', 'addSource', '88888888-0000-4000-8000-000000000001', false, '{}');
insert into setting (name, value, updated_at) values ('pipeline.ClaimCheck', 'true', '2026-02-01'), ('record.Sample', 'false', '2026-02-01');
insert into setting_change (at, name, before, after, changed_by) values ('2026-02-01', 'pipeline.ClaimCheck', null, 'false', 'op@example.org'), ('2026-02-02', 'pipeline.ClaimCheck', 'false', 'true', 'op@example.org');
insert into operator_action (at, operator, action, subject, detail) values ('2026-02-03', 'op@example.org', 'crawl', '88888888-0000-4000-8000-000000000001', '{}');
insert into worker (id, host, pid, build, stages, jobs, started_at, seen_at, ended_at, ended_how) values ('aaaaaaaa-0000-4000-8000-000000000001', 'host', 1, '0.1.0', '{clip}', 2, '2026-03-12', '2026-03-12', '2026-03-12', 'stopped');
insert into flow (id, kind, meeting_id, state, ended_at) values ('bbbbbbbb-0000-4000-8000-000000000001', 'meeting', '11111111-0000-4000-8000-000000000001', 'failed', '2026-03-12');
insert into task (id, flow_id, stage, lane, state, attempts, ended_at, failure) values ('bbbbbbbb-0000-4000-8000-000000000002', 'bbbbbbbb-0000-4000-8000-000000000001', 'chapters', 'model', 'failed', 40, '2026-03-12', 'The model did not answer.');
insert into task_event (task_id, kind, detail) values ('bbbbbbbb-0000-4000-8000-000000000002', 'failed', 'The model did not answer.');
insert into pipeline_log (at, source, level, meeting_id, task_id, message) values ('2026-03-12', 'worker', 'warn', '11111111-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002', 'The model did not answer.');
insert into model_usage (at, model, purpose, outcome, input_tokens, output_tokens, duration_ms, cost, meeting_id, stage) values ('2026-03-12', 'm', 'chapters', 'ok', 10, 10, 10, 0.1, '11111111-0000-4000-8000-000000000001', 'chapters');
insert into drill (state, started_by, ended_at, report) values ('passed', 'op@example.org', '2026-03-01', '{}');
insert into feed_event (channel, meeting_id, event, data, created_at) values ('meetings', '11111111-0000-4000-8000-000000000001', 'meeting.added', '{}', '2026-03-12');
select index_meetings(array['11111111-0000-4000-8000-000000000001'::uuid]);

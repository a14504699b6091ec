import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The record: places, the bodies that serve them, their meetings, and what belongs to a meeting. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create extension if not exists unaccent`
  yield* sql`create extension if not exists pg_trgm`

  // Names are compared without accents and case; immutable so that it can be indexed, which unaccent alone is not.
  yield* sql`
    create function fold(name text) returns text
    language sql immutable strict parallel safe
    return lower(public.unaccent('public.unaccent', name))`
  yield* sql`create text search configuration civic (copy = english)`
  yield* sql`
    alter text search configuration civic
    alter mapping for hword, hword_part, word with unaccent, english_stem`

  yield* sql`
    create table place (
      id int generated always as identity primary key,
      slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      name text not null check (name <> ''),
      kind text not null check (kind in ('city', 'county')),
      state text not null check (state ~ '^[A-Z]{2}$'),
      county text,
      zips text[] not null default '{}',
      latitude double precision check (latitude between -90 and 90),
      longitude double precision check (longitude between -180 and 180),
      content_hash text not null
    )`
  yield* sql`create index place_name_trgm on place using gin (fold(name) gin_trgm_ops)`
  yield* sql`create index place_zips on place using gin (zips)`

  yield* sql`
    create table body (
      id int generated always as identity primary key,
      slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      segment text not null check (segment ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      name text not null check (name <> ''),
      kind text not null
        check (kind in ('city_council', 'school_board', 'planning_commission', 'county_board', 'committee', 'other')),
      website text,
      content_hash text not null,
      -- Kept from its places by trigger: what browse filters and counts by.
      states text[] not null default '{}',
      counties text[] not null default '{}',
      cities text[] not null default '{}',
      place_slugs text[] not null default '{}'
    )`
  yield* sql`create index body_name_trgm on body using gin (fold(name) gin_trgm_ops)`
  yield* sql`
    create table body_place (
      body_id int not null references body on delete cascade,
      place_id int not null references place,
      position smallint not null,
      primary key (body_id, place_id),
      unique (body_id, position)
    )`
  yield* sql`create index body_place_place on body_place (place_id)`
  yield* sql`
    create table retired_slug (
      slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      body_id int not null references body on delete cascade
    )`
  yield* sql`create index retired_slug_body on retired_slug (body_id)`
  // One name space: a slug that answers for a body can be no other body's, live or retired.
  yield* sql`
    create function refuse_retired_slug() returns trigger language plpgsql as $$
    begin
      if exists (select from retired_slug r where r.slug = new.slug and r.body_id <> new.id) then
        raise unique_violation using message = format('%s is a retired slug of another body', new.slug), constraint = 'body_slug_key';
      end if;
      return new;
    end $$`
  yield* sql`
    create function refuse_live_slug() returns trigger language plpgsql as $$
    begin
      if exists (select from body b where b.slug = new.slug) then
        raise unique_violation using message = format('%s is the slug of a body', new.slug), constraint = 'retired_slug_pkey';
      end if;
      return new;
    end $$`
  yield* sql`create trigger body_slug_space before insert or update of slug on body for each row execute function refuse_retired_slug()`
  yield* sql`create trigger retired_slug_space before insert or update on retired_slug for each row execute function refuse_live_slug()`

  yield* sql`
    create function refresh_body_scope(ids int[]) returns void language sql as $$
      update body b
      set states = s.states, counties = s.counties, cities = s.cities, place_slugs = s.place_slugs
      from (
        select b.id,
          coalesce(array_agg(distinct p.state) filter (where p.state is not null), '{}') as states,
          coalesce(array_agg(distinct case p.kind when 'county' then p.name else p.county end)
            filter (where p.kind = 'county' or p.county is not null), '{}') as counties,
          coalesce(array_agg(distinct p.name) filter (where p.kind = 'city'), '{}') as cities,
          coalesce(array_agg(distinct p.slug) filter (where p.slug is not null), '{}') as place_slugs
        from body b left join body_place bp on bp.body_id = b.id left join place p on p.id = bp.place_id
        where b.id = any(ids)
        group by b.id
      ) s
      where b.id = s.id
    $$`
  yield* sql`
    create function body_scope_of_place() returns trigger language plpgsql as $$
    begin
      perform refresh_body_scope(array(select body_id from body_place where place_id = new.id));
      return null;
    end $$`
  yield* sql`
    create function body_scope_of_link() returns trigger language plpgsql as $$
    begin
      perform refresh_body_scope(array[coalesce(new.body_id, old.body_id)]);
      return null;
    end $$`
  yield* sql`create trigger place_scope after update on place for each row execute function body_scope_of_place()`
  yield* sql`create trigger body_place_scope after insert or update or delete on body_place for each row execute function body_scope_of_link()`

  yield* sql`
    create table meeting (
      id uuid primary key,
      short_id text not null unique check (short_id ~ '^[0-9a-f]{8,32}$'),
      body_id int not null references body,
      title text not null check (title <> ''),
      date date not null,
      year smallint not null generated always as (extract(year from date)) stored,
      starts_at timestamptz,
      timezone text not null,
      status text not null check (status in ('upcoming', 'held', 'cancelled')),
      duration numeric(10, 3) check (duration >= 0),
      source_url text,
      agenda_url text,
      updated_at timestamptz not null,
      content_hash text not null
    )`
  yield* sql`create index meeting_held_newest on meeting (date desc, id) where status = 'held'`
  yield* sql`create index meeting_body_newest on meeting (body_id, date desc, id) where status = 'held'`
  yield* sql`create index meeting_to_come on meeting (date, body_id, id) where status <> 'held'`

  // The leading hex digits of the id, 8, and more only where two would collide (contract section 3).
  yield* sql`
    create function give_short_id() returns trigger language plpgsql as $$
    declare hex text := replace(new.id::text, '-', '');
    begin
      for digits in 8..32 loop
        new.short_id := left(hex, digits);
        exit when not exists (select from meeting where short_id = new.short_id);
      end loop;
      return new;
    end $$`
  yield* sql`create trigger meeting_short_id before insert on meeting for each row execute function give_short_id()`

  // Held meetings by body and year: every count of browse without a query is a sum over these.
  yield* sql`
    create table held_count (
      body_id int not null references body on delete cascade,
      year smallint not null,
      held int not null check (held >= 0),
      primary key (body_id, year)
    )`
  yield* sql`
    create function count_held() returns trigger language plpgsql as $$
    begin
      if tg_op in ('UPDATE', 'DELETE') then
        update held_count h set held = h.held - o.n
        from (select body_id, year, count(*)::int as n from old_rows where status = 'held' group by 1, 2 order by 1, 2) o
        where h.body_id = o.body_id and h.year = o.year;
      end if;
      if tg_op in ('UPDATE', 'INSERT') then
        insert into held_count as h (body_id, year, held)
        select body_id, year, count(*)::int from new_rows where status = 'held' group by 1, 2 order by 1, 2
        on conflict (body_id, year) do update set held = h.held + excluded.held;
      end if;
      return null;
    end $$`
  yield* sql`create trigger meeting_counted_in after insert on meeting referencing new table as new_rows for each statement execute function count_held()`
  yield* sql`create trigger meeting_counted_out after delete on meeting referencing old table as old_rows for each statement execute function count_held()`
  yield* sql`create trigger meeting_recounted after update on meeting referencing old table as old_rows new table as new_rows for each statement execute function count_held()`

  yield* sql`
    create table agenda_item (
      id uuid not null,
      meeting_id uuid not null references meeting on delete cascade,
      position int not null,
      number text,
      title text not null,
      description text,
      outcome text,
      start numeric(10, 3) check (start >= 0),
      primary key (meeting_id, id),
      unique (meeting_id, position) deferrable initially deferred
    )`
  yield* sql`
    create table chapter (
      meeting_id uuid not null references meeting on delete cascade,
      position int not null,
      title text not null,
      start numeric(10, 3) not null check (start >= 0),
      "end" numeric(10, 3) not null,
      primary key (meeting_id, position),
      check ("end" >= start)
    )`
  yield* sql`
    create table clip (
      id uuid primary key,
      meeting_id uuid not null references meeting on delete cascade,
      title text not null,
      start numeric(10, 3) not null check (start >= 0),
      "end" numeric(10, 3) not null,
      agenda_item_id uuid,
      state text not null check (state in ('published', 'proposal', 'dismissed', 'alternate')),
      content_hash text not null,
      check ("end" > start),
      foreign key (meeting_id, agenda_item_id) references agenda_item (meeting_id, id) on delete set null (agenda_item_id)
    )`
  yield* sql`create index clip_meeting on clip (meeting_id, start, id)`
  yield* sql`create index clip_agenda_item on clip (meeting_id, agenda_item_id)`

  yield* sql`
    create table transcript (
      meeting_id uuid not null references meeting on delete cascade,
      version text not null check (version in ('refined', 'raw')),
      language text not null,
      generator text,
      duration numeric(10, 3) not null check (duration >= 0),
      word_count int not null check (word_count >= 0),
      segments json not null,
      content_hash text not null,
      primary key (meeting_id, version)
    )`
  // Stretches of the transcript that search finds moments in: the start of each word beside the words.
  yield* sql`
    create table transcript_chunk (
      meeting_id uuid not null references meeting on delete cascade,
      position int not null,
      text text not null,
      starts real[] not null,
      words tsvector not null generated always as (to_tsvector('public.civic', text)) stored,
      primary key (meeting_id, position)
    )`
  yield* sql`create index transcript_chunk_words on transcript_chunk using gin (words)`

  yield* sql`
    create table briefing (
      meeting_id uuid primary key references meeting on delete cascade,
      headline text not null,
      content jsonb not null,
      generator text,
      published_at timestamptz not null,
      content_hash text not null
    )`
  yield* sql`
    create table claims (
      meeting_id uuid primary key references meeting on delete cascade,
      content_hash text not null
    )`
  yield* sql`
    create table claim (
      id uuid primary key,
      meeting_id uuid not null references claims on delete cascade,
      position int not null,
      topic text not null,
      text text not null,
      verdict text check (verdict in ('supported', 'unsupported', 'contradicted')),
      evidence jsonb not null,
      checked_at timestamptz,
      unique (meeting_id, position) deferrable initially deferred,
      check ((verdict is null) = (checked_at is null))
    )`
  yield* sql`
    create table setting (
      name text primary key,
      value jsonb not null,
      updated_at timestamptz not null
    )`

  // A briefing is pending while the claim check is enabled and verdicts have not landed (spec section 3).
  yield* sql`
    create view published_briefing as
    select b.* from briefing b
    where coalesce((select value = 'false' from setting where name = 'pipeline.ClaimCheck'), false)
      or (exists (select from claims c where c.meeting_id = b.meeting_id)
        and not exists (select from claim c where c.meeting_id = b.meeting_id and c.verdict is null))`

  yield* sql`
    create table recap (
      meeting_id uuid primary key references meeting on delete cascade,
      headline text not null,
      summary text not null,
      decisions jsonb not null,
      content_hash text not null
    )`
  yield* sql`
    create table agenda_summary (
      meeting_id uuid primary key references meeting on delete cascade,
      items jsonb not null,
      content_hash text not null
    )`
  yield* sql`
    create table figure (
      id uuid primary key,
      meeting_id uuid not null references meeting on delete cascade,
      title text not null,
      alt text not null,
      content_hash text not null
    )`
  yield* sql`create index figure_meeting on figure (meeting_id, id)`
  yield* sql`
    create table media (
      key text primary key,
      meeting_id uuid not null references meeting on delete cascade,
      role text not null check (role in ('source', 'rendition', 'poster', 'agenda', 'figure', 'clip')),
      subject uuid,
      media_type text not null,
      bytes bigint not null check (bytes >= 0),
      width int,
      height int,
      duration numeric(10, 3),
      content_hash text not null,
      check ((subject is not null) = (role in ('figure', 'clip')))
    )`
  yield* sql`create unique index media_of_meeting on media (meeting_id, role, subject) nulls not distinct`

  // Only held meetings are searched. Both vectors are kept out of line, so that counting reads narrow rows.
  yield* sql`
    create table meeting_search (
      meeting_id uuid primary key references meeting on delete cascade,
      body_id int not null references body,
      date date not null,
      year smallint not null,
      -- What it is about, weighted and with positions: title and body A, agenda, chapters, clips and headline B.
      named tsvector not null,
      -- Every word of it and of its transcript, without positions: those would end at 16,383 (PostgreSQL 12.11).
      document tsvector not null
    )`
  yield* sql`alter table meeting_search set (toast_tuple_target = 128)`
  yield* sql`create index meeting_search_document on meeting_search using gin (document)`
  yield* sql`create index meeting_search_body on meeting_search (body_id)`
  yield* sql`
    create function index_meetings(ids uuid[]) returns void language sql as $$
      delete from meeting_search where meeting_id = any(ids);
      with named as (
        select m.id, m.body_id, m.date, m.year,
          setweight(to_tsvector('public.civic', m.title || ' ' || b.name || ' ' || coalesce(
            (select string_agg(p.name, ' ') from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id), '')), 'A')
          || setweight(to_tsvector('public.civic', coalesce(
            (select string_agg(concat_ws(' ', a.number, a.title), ' ' order by a.position) from agenda_item a where a.meeting_id = m.id), '')
            || ' ' || coalesce((select string_agg(c.title, ' ' order by c.position) from chapter c where c.meeting_id = m.id), '')
            || ' ' || coalesce((select string_agg(c.title, ' ' order by c.start, c.id) from clip c
              where c.meeting_id = m.id and c.state = 'published'), '')
            || ' ' || coalesce((select f.headline from published_briefing f where f.meeting_id = m.id), '')), 'B')
          || setweight(to_tsvector('public.civic', coalesce(
            (select string_agg(left(a.description, 4000), ' ' order by a.position) from agenda_item a where a.meeting_id = m.id), '')), 'C')
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
})

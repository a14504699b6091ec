import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Places and the bodies that serve them. Triggers keep, on each body, the names of its places. */
export const directory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

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
      -- Maintained from its places by trigger; browse filters and counts by these.
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
  // One name space: a slug that answers for one body cannot belong to another, live or retired.
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
})

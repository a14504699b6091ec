import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Names folded when they are written instead of at every question, and indexes for two questions that read all meetings. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // How the names of counties and cities compare: without accents, case and hyphens.
  yield* sql`
    create function name_key(name text) returns text
    language sql immutable strict parallel safe
    return replace(public.fold(name), '-', ' ')`
  // The words of a name, in which places and bodies are found.
  yield* sql`
    create function plain_words(name text) returns text
    language sql immutable strict parallel safe
    return trim(regexp_replace(public.fold(name), '[^[:alnum:]]+', ' ', 'g'))`

  // `described` is all that is known of one in words; a misspelled word is looked for in it.
  yield* sql`
    alter table place
      add column plain text not null generated always as (plain_words(name)) stored,
      add column described text not null generated always as (
        plain_words(name || ' ' || coalesce(county, '') || ' ' || state || ' ' || kind)) stored`
  yield* sql`create index place_plain on place (plain)`
  yield* sql`create index place_described on place using gin (described gin_trgm_ops)`
  yield* sql`
    alter table body
      add column plain text not null generated always as (plain_words(name)) stored,
      -- These three are kept by refresh_body_scope.
      add column described text not null default '',
      add column county_keys text[] not null default '{}',
      add column city_keys text[] not null default '{}'`
  yield* sql`create index body_described on body using gin (described gin_trgm_ops)`

  yield* sql`
    create or replace function refresh_body_scope(ids int[]) returns void language sql as $$
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
    $$`
  yield* sql`
    create function body_scope_of_body() returns trigger language plpgsql as $$
    begin
      perform refresh_body_scope(array[new.id]);
      return null;
    end $$`
  // Fires on no column that refresh_body_scope itself writes.
  yield* sql`create trigger body_scope after insert or update of name, kind on body for each row execute function body_scope_of_body()`
  yield* sql`create trigger retired_slug_scope after insert or update or delete on retired_slug for each row execute function body_scope_of_link()`
  yield* sql`select refresh_body_scope(array(select id from body))`

  // The bodies and places of which some word is like this one: with every match that is at least 0.35 alike, and a few
  // more, which whoever asks leaves out.
  yield* sql`
    create function bodies_like(word text) returns setof int language sql stable rows 50
    set pg_trgm.word_similarity_threshold = 0.35
    begin atomic select id from body where described %> word; end`
  yield* sql`
    create function places_like(word text) returns setof int language sql stable rows 50
    set pg_trgm.word_similarity_threshold = 0.35
    begin atomic select id from place where described %> word; end`

  // Whether a body has a meeting that was not held; those that were held are counted.
  yield* sql`create index meeting_body_to_come on meeting (body_id) where status <> 'held'`
  // A feed begins with what changed last.
  yield* sql`create index meeting_held_updated on meeting (updated_at desc, id) where status = 'held'`
})

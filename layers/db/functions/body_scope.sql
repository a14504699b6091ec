-- Copies onto each body the facts that its places, name and retired slugs imply, so that browse filters, counts and
-- finds bodies without a join.

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
      -- Its current and former names, its first place, and its kind.
      plain_words(concat_ws(' ', b.name,
        (select string_agg(r.slug, ' ' order by r.slug) from retired_slug r where r.body_id = b.id),
        (array_agg(p.name order by bp.position))[1], (array_agg(p.state order by bp.position))[1], b.kind)) as described
    from body b left join body_place bp on bp.body_id = b.id left join place p on p.id = bp.place_id
    where b.id = any(ids)
    group by b.id
  ) s
  where b.id = s.id
$$;

create or replace function body_scope_of_place() returns trigger language plpgsql as $$
begin
  perform refresh_body_scope(array(select body_id from body_place where place_id = new.id));
  return null;
end $$;

create or replace function body_scope_of_link() returns trigger language plpgsql as $$
begin
  -- A slug that goes from one body to another changes both.
  perform refresh_body_scope(array_remove(array[new.body_id, old.body_id], null));
  return null;
end $$;

create or replace function body_scope_of_body() returns trigger language plpgsql as $$
begin
  perform refresh_body_scope(array[new.id]);
  return null;
end $$;

create or replace trigger place_scope after update on place
  for each row execute function body_scope_of_place();
create or replace trigger body_place_scope after insert or update or delete on body_place
  for each row execute function body_scope_of_link();
create or replace trigger retired_slug_scope after insert or update or delete on retired_slug
  for each row execute function body_scope_of_link();
-- Only on columns that refresh_body_scope does not itself write.
create or replace trigger body_scope after insert or update of name, kind on body
  for each row execute function body_scope_of_body();

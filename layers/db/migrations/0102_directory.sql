-- Places and the bodies that serve them.

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
  content_hash text not null,
  -- Operators address a place by an id that, unlike its slug, is opaque and never reused.
  uuid uuid not null unique default uuidv7(),
  plain text not null generated always as (plain_words(name)) stored,
  -- The place's name, county, state and kind, to which misspelled words are matched.
  described text not null
    generated always as (plain_words(name || ' ' || coalesce(county, '') || ' ' || state || ' ' || kind)) stored
);
create index place_name_trgm on place using gin (fold(name) gin_trgm_ops);
create index place_name_words on place using gin (to_tsvector('simple', fold(name)));
create index place_zips on place using gin (zips);
create index place_plain on place (plain);
create index place_described on place using gin (described gin_trgm_ops);

create table body (
  id int generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  segment text not null check (segment ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null check (name <> ''),
  kind text not null
    check (kind in ('city_council', 'school_board', 'planning_commission', 'county_board', 'committee', 'other')),
  website text,
  content_hash text not null,
  -- Columns for browse's filters and counts. These and the last three are maintained by refresh_body_scope.
  states text[] not null default '{}',
  counties text[] not null default '{}',
  cities text[] not null default '{}',
  place_slugs text[] not null default '{}',
  plain text not null generated always as (plain_words(name)) stored,
  described text not null default '',
  county_keys text[] not null default '{}',
  city_keys text[] not null default '{}'
);
create index body_name_trgm on body using gin (fold(name) gin_trgm_ops);
create index body_name_words on body using gin (to_tsvector('simple', fold(name)));
create index body_described on body using gin (described gin_trgm_ops);

create table body_place (
  body_id int not null references body on delete cascade,
  place_id int not null references place,
  position smallint not null,
  primary key (body_id, place_id),
  unique (body_id, position)
);
create index body_place_place on body_place (place_id);

-- Former slugs of bodies. Triggers keep live and retired slugs in one namespace.
create table retired_slug (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  body_id int not null references body on delete cascade
);
create index retired_slug_body on retired_slug (body_id);

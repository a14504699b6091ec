-- People, the offices they hold, the matters that bodies decide, and votes (schema/people.ts).

create table person (
  id int generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  place_id int references place,
  name text not null check (name <> ''),
  sort_name text,
  other_names text[] not null default '{}',
  image_url text,
  source_url text,
  -- Empty while no line of a bundle is about the person: a vote or an office has named them.
  content_hash text not null default '',
  updated_at timestamptz not null,
  -- The person that this one turned out to be. Rows keep their own person, so that a merge is undone by clearing it.
  merged_into int references person on delete set null,
  plain text not null generated always as (plain_words(name)) stored
);
create index person_merged on person (merged_into) where merged_into is not null;
create index person_place on person (place_id);
create index person_plain on person using gin (plain gin_trgm_ops);
-- Former slugs of people, as bundles name them.
create table retired_person (
  slug text primary key,
  person_id int not null references person on delete cascade
);
create index retired_person_person on retired_person (person_id);

create table membership (
  id uuid primary key,
  person_id int not null references person on delete cascade,
  -- The slug as written; the body may come on record later, or never.
  agency text not null,
  body_id int references body on delete set null,
  name text not null,
  role text not null check (role in ('member', 'chair', 'vice_chair', 'mayor', 'clerk', 'staff', 'other')),
  label text,
  start_date date,
  end_date date,
  party text,
  district text,
  content_hash text not null
);
create index membership_person on membership (person_id);
create index membership_body on membership (body_id, end_date);
create index membership_unlinked on membership (agency) where body_id is null;

create table matter (
  id int generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  place_id int not null references place,
  identifier text not null check (identifier <> ''),
  -- The identifier in the spelling that all of its spellings share.
  key text not null generated always as (plain_words(search_text(identifier))) stored,
  title text not null check (title <> ''),
  description text,
  kind text not null check (kind in
    ('ordinance', 'resolution', 'motion', 'land_use', 'appointment', 'hearing', 'communication', 'other')),
  kind_label text,
  status text not null check (status in
    ('introduced', 'in_committee', 'passed', 'failed', 'enacted', 'vetoed', 'withdrawn', 'filed', 'other')),
  status_label text,
  introduced_on date,
  enacted_as text,
  agency text,
  body_id int references body on delete set null,
  source_url text,
  updated_at timestamptz not null,
  content_hash text not null,
  words tsvector not null generated always as
    (search_vector(identifier || ' ' || title || ' ' || coalesce(enacted_as || ' ', '') || left(coalesce(description, ''), 4000))) stored
);
create index matter_place_key on matter (place_id, key);
create index matter_newest on matter (introduced_on desc nulls last, id desc);
create index matter_updated on matter (updated_at, id);
create index matter_body on matter (body_id);
create index matter_no_body on matter (agency) where body_id is null and agency is not null;
create index matter_words on matter using gin (words);
create table sponsor (
  matter_id int not null references matter on delete cascade,
  position smallint not null,
  person_id int references person on delete set null,
  name text not null,
  is_primary boolean not null default false,
  primary key (matter_id, position)
);
create index sponsor_person on sponsor (person_id);
create table matter_step (
  matter_id int not null references matter on delete cascade,
  position smallint not null,
  date date not null,
  action text not null,
  result text check (result in ('pass', 'fail', 'other')),
  agency text,
  body_id int references body on delete set null,
  body_name text,
  -- The meeting as the source numbers it: it may come on record later.
  event text,
  item text,
  meeting_id uuid references meeting on delete set null,
  agenda_item_id uuid,
  primary key (matter_id, position),
  foreign key (meeting_id, agenda_item_id) references agenda_item (meeting_id, id) on delete set null (agenda_item_id)
);
create index matter_step_meeting on matter_step (meeting_id, agenda_item_id);
create index matter_step_no_body on matter_step (agency) where body_id is null and agency is not null;
create index matter_step_unlinked on matter_step (event) where meeting_id is null and event is not null;

create table vote (
  id uuid primary key,
  kind text not null check (kind in ('vote', 'roll_call')),
  date date not null,
  meeting_id uuid references meeting on delete cascade,
  place_id int references place,
  event text,
  item text,
  agenda_item_id uuid,
  matter_id int references matter on delete set null,
  motion text,
  result text check (result in ('pass', 'fail', 'other')),
  result_label text,
  counts jsonb not null,
  is_divided boolean not null default false,
  moved_by text,
  seconded_by text,
  start numeric(10, 3) check (start >= 0),
  "end" numeric(10, 3),
  quote text,
  origin text not null check (origin in ('source', 'minutes', 'transcript', 'import')),
  source_url text,
  updated_at timestamptz not null,
  content_hash text not null,
  check (meeting_id is not null or event is not null),
  foreign key (meeting_id, agenda_item_id) references agenda_item (meeting_id, id) on delete set null (agenda_item_id)
);
create index vote_meeting on vote (meeting_id);
create index vote_agenda_item on vote (meeting_id, agenda_item_id);
create index vote_matter on vote (matter_id);
create index vote_unlinked on vote (event) where meeting_id is null;
create index vote_updated on vote (updated_at, id);
-- How each member voted, or attended. What a list of one person's votes filters by stands here too.
create table ballot (
  vote_id uuid not null references vote on delete cascade,
  position smallint not null,
  person_id int references person on delete set null,
  name text not null,
  option text not null check (option in
    ('yes', 'no', 'abstain', 'absent', 'excused', 'not_voting', 'present', 'other')),
  -- The source's own word, where it says more.
  note text,
  date date not null,
  is_roll_call boolean not null,
  -- With the majority of those who voted yes or no; null for everybody else, and in a tie.
  with_majority boolean,
  is_divided boolean not null,
  primary key (vote_id, position)
);
create index ballot_person on ballot (person_id, date desc, vote_id) include (option, with_majority, is_roll_call, is_divided);
create index ballot_divided on ballot (vote_id, person_id, option) where is_divided;

-- The number that a meeting or an item has at its source, and the matter that an item is about, as it is written there.
alter table meeting add column identifier text;
create index meeting_identifier on meeting (identifier) where identifier is not null;
alter table agenda_item add column identifier text;
alter table agenda_item add column matter text;
alter table agenda_item add column matter_key text;
create index agenda_item_matter on agenda_item (matter_key) where matter_key is not null;

-- Vectors of what meetings are about, for searches by meaning (src/services/search/meaning/). Empty unless the
-- deployment has a model for them.

-- Vectors near each other share a cell. One with many is split in two.
create table embedding_cell (
  id int generated always as identity primary key,
  model text not null,
  center bytea not null,
  -- False once its texts turn out to be too much alike to be told apart.
  splits boolean not null default true
);
create index embedding_cell_model on embedding_cell (model);

create table embedding (
  meeting_id uuid not null references meeting on delete cascade,
  -- Of the model and the text, which stands nowhere here.
  digest bytea not null,
  is_public boolean not null,
  cell int not null references embedding_cell,
  -- A byte a number.
  vector bytea not null,
  -- Whether each number is above zero.
  sketch varbit not null,
  primary key (meeting_id, digest)
);
-- Has all that the first look at a cell reads.
create index embedding_near on embedding (cell, digest) include (is_public, sketch);
create index embedding_digest on embedding (digest);

-- What has been done. A process that takes a meeting on holds it for some minutes.
create table embedded_meeting (
  meeting_id uuid primary key references meeting on delete cascade,
  model text,
  made_of timestamptz,
  held_until timestamptz
);
comment on column embedded_meeting.made_of is 'The updated_at of the meeting as it was read.';
create index embedded_meeting_held on embedded_meeting (held_until) where held_until is not null;

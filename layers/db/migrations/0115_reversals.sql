-- What is needed to undo a merge of bodies, or a move of meetings, for 90 days (src/services/directory/reversals.ts).
create table reversal (
  id uuid primary key default uuidv7(),
  at timestamptz not null,
  operator text not null,
  kind text not null check (kind in ('merge', 'move')),
  -- The slugs that were named; a move of several bodies names the first.
  from_slug text not null,
  into_slug text not null,
  -- Of a merge: the body as it was, with the ids of its places and discovered meetings.
  body jsonb,
  undone_at timestamptz,
  check ((kind = 'merge') = (body is not null))
);
create index reversal_at on reversal (at);

create table reversal_meeting (
  reversal_id uuid not null references reversal on delete cascade,
  meeting_id uuid not null references meeting on delete cascade,
  from_body int not null,
  into_body int not null,
  primary key (reversal_id, meeting_id)
);
create index reversal_meeting_meeting on reversal_meeting (meeting_id);

create table reversal_source (
  reversal_id uuid not null references reversal on delete cascade,
  source_id uuid not null,
  source_body text not null,
  from_body int,
  into_body int not null,
  primary key (reversal_id, source_id, source_body),
  foreign key (source_id, source_body) references source_body on delete cascade
);
create index reversal_source_body on reversal_source (source_id, source_body);

-- Readers whose follow went with the body; `both` already followed the other.
create table reversal_follower (
  reversal_id uuid not null references reversal on delete cascade,
  account_id uuid not null references account on delete cascade,
  both_followed boolean not null,
  primary key (reversal_id, account_id)
);
create index reversal_follower_account on reversal_follower (account_id);

-- Preferences, recaps due to followers, mails in transit, and mails sent.

create table email_pref (
  account_id uuid primary key references account on delete cascade,
  recaps text not null default 'off' check (recaps in ('each', 'daily', 'weekly', 'off')),
  saved_searches text not null default 'daily' check (saved_searches in ('daily', 'weekly', 'off')),
  timezone text not null default 'America/Chicago'
);

-- Meetings whose recap was found ready, and when: the recipients are fixed at that moment.
create table recap_ready (
  meeting_id uuid primary key references meeting on delete cascade,
  ready_at timestamptz not null
);
create table recap_owed (
  account_id uuid not null references account on delete cascade,
  meeting_id uuid not null references recap_ready on delete cascade,
  primary key (account_id, meeting_id)
);
create index recap_owed_meeting on recap_owed (meeting_id);

-- A mail from the moment it is claimed until a server has accepted it; its text is composed when it is sent.
create table outgoing_mail (
  id uuid primary key,
  position bigint not null generated always as identity,
  account_id uuid not null references account on delete cascade,
  list text not null check (list in ('recaps', 'saved_searches')),
  content jsonb not null,
  created_at timestamptz not null,
  tries int not null default 0,
  next_try_at timestamptz not null
);
create index outgoing_mail_next on outgoing_mail (next_try_at, position);
create index outgoing_mail_account on outgoing_mail (account_id);

-- A recap, or a meeting that a saved search found, is mailed to an account at most once.
create table mailed (
  account_id uuid not null references account on delete cascade,
  kind text not null check (kind in ('recap', 'saved_search')),
  subject uuid not null,
  meeting_id uuid not null references meeting on delete cascade,
  mailed_at timestamptz not null,
  primary key (account_id, kind, subject, meeting_id)
);
create index mailed_meeting on mailed (meeting_id);

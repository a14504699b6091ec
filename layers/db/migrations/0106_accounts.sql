-- Accounts, their ways of signing in, and their belongings: follows, saved searches, shares and clips.

create table account (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email <> ''),
  name text,
  created_at timestamptz not null,
  phone text,
  password_hash text,
  -- Identifies the mailbox (schema/email.ts). While it is null, no address opens the account; a change of address sets
  -- it.
  email_key text
);
create unique index account_email_key on account (email_key);

-- Tokens are stored as SHA-256 hashes throughout, so that a leaked table lets nobody sign in.
create table session (
  token_hash bytea primary key check (length(token_hash) = 32),
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index session_account on session (account_id);
create index session_expiry on session (expires_at);

-- Each provider identifies its readers by its own subject.
create table identity (
  issuer text not null,
  subject text not null,
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index identity_account on identity (account_id);

-- A sign-in in progress: valid once, for ten minutes, in the browser that started it.
create table sign_in (
  state_hash bytea primary key check (length(state_hash) = 32),
  browser_hash bytea not null check (length(browser_hash) = 32),
  provider text not null,
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index sign_in_expiry on sign_in (expires_at);

create table email_change (
  account_id uuid primary key references account on delete cascade,
  email text not null,
  code_hash bytea not null check (length(code_hash) = 32),
  tries int not null default 0,
  expires_at timestamptz not null,
  email_key text not null
);

create table followed_body (
  account_id uuid not null references account on delete cascade,
  body_id int not null references body on delete cascade,
  primary key (account_id, body_id)
);
create index followed_body_body on followed_body (body_id);
create table followed_place (
  account_id uuid not null references account on delete cascade,
  place_id int not null references place on delete cascade,
  primary key (account_id, place_id)
);
create index followed_place_place on followed_place (place_id);

-- The secret address of the calendar of an account's follows; an account has at most one.
create table calendar_address (
  account_id uuid primary key references account on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null
);

-- The query string of a browse address, without page and size.
create table saved_search (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  name text not null,
  query text not null,
  created_at timestamptz not null,
  seen_until timestamptz not null,
  -- Meetings that matched when the search was saved, which are not news; later matches are in `mailed`.
  seen uuid[] not null default '{}'
);
-- By hash, because a long query exceeds the size of an index entry.
create unique index saved_search_query on saved_search (account_id, md5(query));

create table share_grant (
  id uuid primary key,
  meeting_id uuid not null references meeting on delete cascade,
  account_id uuid not null references account on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  cookie_hash bytea unique check (length(cookie_hash) = 32),
  check ((redeemed_at is null) = (cookie_hash is null))
);
create index share_grant_meeting on share_grant (meeting_id);
create index share_grant_account on share_grant (account_id);
create index share_grant_expiry on share_grant (expires_at);
create table recorded_share (
  id bigint generated always as identity primary key,
  account_id uuid not null references account on delete cascade,
  meeting_id uuid not null references meeting on delete cascade,
  channel text not null check (channel in ('link', 'email', 'sms', 'native')),
  created_at timestamptz not null
);
create index recorded_share_account on recorded_share (account_id);
create index recorded_share_meeting on recorded_share (meeting_id);

create table user_clip (
  id uuid primary key,
  slug text not null unique,
  account_id uuid not null references account on delete cascade,
  meeting_id uuid not null references meeting on delete cascade,
  title text,
  start numeric(10, 3) not null check (start >= 0),
  "end" numeric(10, 3) not null,
  state text not null check (state in ('rendering', 'ready', 'failed')),
  failure text,
  created_at timestamptz not null,
  ready_at timestamptz,
  shares int not null default 0,
  visits int not null default 0,
  check ("end" > start and "end" - start <= 300),
  check ((state = 'ready') = (ready_at is not null)),
  check ((state = 'failed') = (failure is not null))
);
create index user_clip_meeting on user_clip (meeting_id, created_at, id);
create index user_clip_account on user_clip (account_id, meeting_id);
-- Clips whose rows were deleted, with their owner, account or meeting, but whose media has yet to be.
create table removed_user_clip (id uuid primary key);

-- Today's counted visits and shares. Visitors and networks are hashes with a daily salt; without the salt they identify
-- nobody.
create table visit_salt (day date primary key, salt bytea not null check (length(salt) = 32));
create table user_clip_visit (
  user_clip_id uuid not null references user_clip on delete cascade,
  day date not null,
  visitor bytea not null check (length(visitor) = 32),
  network bytea not null check (length(network) = 32),
  primary key (user_clip_id, day, visitor)
);
create index user_clip_visit_day on user_clip_visit (day);
-- For counting one network's visits.
create index user_clip_visit_network on user_clip_visit (user_clip_id, day, network);
create table user_clip_share (
  user_clip_id uuid not null references user_clip on delete cascade,
  day date not null,
  account_id uuid not null references account on delete cascade,
  primary key (user_clip_id, day, account_id)
);
create index user_clip_share_day on user_clip_share (day);
create index user_clip_share_account on user_clip_share (account_id);

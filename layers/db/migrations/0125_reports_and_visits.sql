-- What readers say is wrong with a meeting's record, for operators (src/services/accounts/mistake-reports.ts).
create table mistake_report (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account on delete cascade,
  meeting_id uuid not null references meeting on delete cascade,
  -- What is wrong, how it should read, and the words and the second that it is about.
  said text not null check (said <> ''),
  wording text,
  quote text,
  start numeric(10, 3) check (start >= 0),
  state text not null default 'open' check (state in ('open', 'corrected', 'no_fault')),
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((state = 'open') = (settled_at is null))
);
create index mistake_report_open on mistake_report (created_at, id) where state = 'open';
create index mistake_report_account on mistake_report (account_id);
create index mistake_report_meeting on mistake_report (meeting_id);

-- When an account was last here, and the end of the visit before: what is new to it came after that
-- (src/services/accounts/visits.ts). Null until its second visit.
create table account_visit (
  account_id uuid primary key references account on delete cascade,
  seen_at timestamptz not null,
  new_since timestamptz
);

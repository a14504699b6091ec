-- When an account was last here, and the end of the visit before: what is new to it came after that
-- (src/services/accounts/visits.ts). Null until its second visit.
create table account_visit (
  account_id uuid primary key references account on delete cascade,
  seen_at timestamptz not null,
  new_since timestamptz
);

-- Operators who signed in to a console outside of loopback, on whichever node.
create table operator_session (
  token_hash bytea primary key check (length(token_hash) = 32),
  email text not null check (email <> ''),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index operator_session_expiry on operator_session (expires_at);

-- Who signs in: an attempt on the site cannot be completed on the console, nor the other way around.
alter table sign_in add column audience text not null default 'readers' check (audience in ('readers', 'operators'));

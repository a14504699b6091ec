-- Tokens with which programs of a reader read meetings over /mcp (src/services/accounts/reader-tokens.ts). The token
-- itself is stored nowhere. Revoked ones are kept for a while, for the export of the account.
create table reader_token (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account on delete cascade,
  name text not null check (length(name) between 1 and 60),
  token_hash bytea not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create unique index reader_token_name on reader_token (account_id, name) where revoked_at is null;
create index reader_token_account on reader_token (account_id);

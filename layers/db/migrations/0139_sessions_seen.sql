-- What a reader needs to know one session from another, and to end it: a name that opens nothing, and the browser.

alter table session
  add column id uuid not null default gen_random_uuid(),
  -- The family of browser and system alone, such as `Firefox on Linux`.
  add column browser text check (length(browser) <= 100);
create unique index session_id on session (id);

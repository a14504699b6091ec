-- Sources of vendors, and manners at their sites.

alter table source drop constraint source_kind_check;
alter table source add constraint source_kind_check check (kind in (
  'legistar', 'legistar_page', 'civicclerk', 'agendacenter', 'granicus', 'primegov', 'escribe', 'swagit', 'iqm2',
  'municode', 'boarddocs', 'novusagenda', 'ical', 'rss', 'json'));

-- An operator's word that a site may be read although its robots.txt refuses: who, when and why.
alter table source add column permitted_by text;
alter table source add column permitted_at timestamptz;
alter table source add column permitted_why text;
alter table source add constraint source_permission check (
  num_nonnulls(permitted_by, permitted_at, permitted_why) in (0, 3));

-- A meeting's other documents at its source, such as the packet: their titles and addresses.
alter table discovered add column attachments jsonb not null default '[]';

-- The registrable domain that a host shares with other customers of its vendor, if it asked to be left alone.
alter table host_pace add column vendor text;
create index host_pace_vendor on host_pace (vendor) where vendor is not null;

-- Channels of recordings that are paired with the meetings of calendars.

alter table source drop constraint source_kind_check;
alter table source add constraint source_kind_check check (kind in (
  'legistar', 'legistar_page', 'civicclerk', 'agendacenter', 'granicus', 'primegov', 'escribe', 'swagit', 'iqm2',
  'municode', 'boarddocs', 'novusagenda', 'youtube', 'internet_archive', 'ical', 'rss', 'json'));

-- The bodies that a channel belongs to, by their slugs; null if its titles alone say.
alter table source add column body_slugs text[];

-- Why the day of a recording is not certain, as its channel lists it.
alter table discovered add column doubt text;

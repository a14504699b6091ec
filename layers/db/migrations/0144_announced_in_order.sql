-- Announced meetings in the order in which they are listed, with all columns that say whether they are still to come
-- and whose they are (src/services/directory/upcoming-rule.ts), so that listing some reads only those.
drop index meeting_to_come;
create index meeting_to_come on meeting (date, starts_at, id) include (body_id, status, timezone) where status <> 'held';

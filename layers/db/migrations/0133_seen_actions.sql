-- The actions on a followed matter that were on record when its search was saved, or last run: later ones are news.
-- Null until it is first run, for searches that were saved before.
alter table saved_search add column seen_actions text[];

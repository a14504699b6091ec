-- The days of the past whose meetings come on record as the source lists them, because an operator asked for them, and
-- the newest of these days that was not listed yet; null once all were.
alter table source add column past_from date;
alter table source add column past_to date;
alter table source add column past_left date;
alter table source add constraint source_past check (
  num_nonnulls(past_from, past_to) in (0, 2) and past_from <= past_to
  and (past_left is null or past_left between past_from and past_to));

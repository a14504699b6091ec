-- The timeline (`current_timeline`) on which the newest ids of events and log lines were given out; null before the
-- first.
create table timeline (
  one boolean primary key default true check (one),
  name text
);
insert into timeline default values;

-- The timeline that the database is on. A replica that is promoted begins another one, and so does a recovery to a
-- point in time: what was committed last on the one before may be missing, and its transaction ids and the numbers of
-- its sequences are given out again.

-- The name of the timeline. On a primary it is another one as soon as it is promoted: PostgreSQL's own, until it is
-- entered. A replica has the name that was entered last, if any.
create or replace function current_timeline() returns text language sql as $$
  select case when pg_is_in_recovery() then (select name from timeline)
    else (
      select coalesce((select name from timeline where starts_with(name, of_server)), of_server)
      from (
        select (select system_identifier from pg_control_system()) || '-'
          || (select oid from pg_database where datname = current_database()) || '-'
          || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '-' as of_server
      ) here
    ) end
$$;

-- Enters the timeline: writes its name, for replicas, with the time, because two replicas that are promoted one after
-- the other can give theirs the same number. The ids from which readers go on then jump to the time in milliseconds, or
-- a million further: beyond any that was given out on a timeline that was lost.
create or replace function enter_timeline() returns void language plpgsql as $$
declare
  here text := current_timeline();
  now_ms bigint := extract(epoch from clock_timestamp()) * 1000;
  before text;
begin
  if exists (select from timeline where name = here) then
    return;
  end if;
  -- Waits for another transaction that enters it, and then reads what that one wrote.
  select name into before from timeline for update;
  if starts_with(before, here) then
    return;
  end if;
  update timeline set name = here || now_ms;
  if before is not null then
    perform setval(ids, greatest(nextval(ids) + 1000000, now_ms))
    from (values (pg_get_serial_sequence('feed_event', 'id')), (pg_get_serial_sequence('pipeline_log', 'id')))
      counted (ids);
  end if;
end $$;

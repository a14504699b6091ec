-- Records in search_change which meetings each node's search index has to read again.

create or replace function note_searched() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into search_change (meeting_id) select distinct meeting_id from new_rows;
  elsif tg_op = 'DELETE' then
    insert into search_change (meeting_id) select distinct meeting_id from old_rows;
  else
    -- A clip can move to another meeting, so an update also marks the old meeting.
    insert into search_change (meeting_id) select meeting_id from old_rows union select meeting_id from new_rows;
  end if;
  if found then
    perform pg_notify('search', '');
  end if;
  return null;
end $$;

-- Changes of places reach their bodies, so bodies and their slugs are all of the directory that browse reads.
create or replace function note_directory() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into search_change (meeting_id) select null::uuid from old_rows limit 1;
  else
    insert into search_change (meeting_id) select null::uuid from new_rows limit 1;
  end if;
  return null;
end $$;

create or replace trigger meeting_search_added after insert on meeting_search
  referencing new table as new_rows for each statement execute function note_searched();
create or replace trigger meeting_search_changed after update on meeting_search
  referencing old table as old_rows new table as new_rows for each statement execute function note_searched();
create or replace trigger meeting_search_removed after delete on meeting_search
  referencing old table as old_rows for each statement execute function note_searched();

-- What the parts are read from that browse can filter by (`has`); test/services/meetings/part-sql.test.ts holds the
-- list to their conditions.
do $$
declare
  name text;
begin
  foreach name in array array['transcript', 'briefing', 'claim', 'recap', 'agenda_item', 'clip', 'media'] loop
    execute format('create or replace trigger part_added after insert on %I
      referencing new table as new_rows
      for each statement execute function note_searched()', name);
    execute format('create or replace trigger part_changed after update on %I
      referencing old table as old_rows new table as new_rows
      for each statement execute function note_searched()', name);
    execute format('create or replace trigger part_removed after delete on %I
      referencing old table as old_rows
      for each statement execute function note_searched()', name);
  end loop;
  foreach name in array array['body', 'retired_slug'] loop
    execute format('create or replace trigger %1$s_added after insert on %1$I
      referencing new table as new_rows
      for each statement execute function note_directory()', name);
    execute format('create or replace trigger %1$s_changed after update on %1$I
      referencing new table as new_rows
      for each statement execute function note_directory()', name);
    execute format('create or replace trigger %1$s_removed after delete on %1$I
      referencing old table as old_rows
      for each statement execute function note_directory()', name);
  end loop;
end $$;

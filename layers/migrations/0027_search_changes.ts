import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What the search index of each node follows, and the segments that began from a known place in it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A row for each change of `meeting_search`, and one without a meeting when the directory changes. Rows are told apart by
  // their transaction, not by a counter: what a reader has not seen is what is invisible in the snapshot it read last, so
  // no writer waits for another.
  yield* sql`
    create table search_change (
      xid xid8 not null default pg_current_xact_id(),
      meeting_id uuid,
      changed_at timestamptz not null default now()
    )`
  yield* sql`create index search_change_xid on search_change (xid)`

  // A segment on some node's disk is of use only while it stands here: a database that was restored does not know it. `xid`
  // differs from the row's own xmin where the row was copied into another database.
  yield* sql`
    create table search_segment (
      id uuid primary key,
      position pg_snapshot not null,
      xid xid8 not null default pg_current_xact_id(),
      made_at timestamptz not null default now()
    )`

  yield* sql`
    create function note_searched() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        insert into search_change (meeting_id) select meeting_id from old_rows;
      else
        insert into search_change (meeting_id) select meeting_id from new_rows;
      end if;
      if found then
        perform pg_notify('search', '');
      end if;
      return null;
    end $$`
  yield* sql`create trigger meeting_search_added after insert on meeting_search referencing new table as new_rows for each statement execute function note_searched()`
  yield* sql`create trigger meeting_search_changed after update on meeting_search referencing new table as new_rows for each statement execute function note_searched()`
  yield* sql`create trigger meeting_search_removed after delete on meeting_search referencing old table as old_rows for each statement execute function note_searched()`

  // Places change what is kept on their bodies, so bodies and their slugs are the whole directory of browse.
  yield* sql`
    create function note_directory() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        insert into search_change (meeting_id) select null::uuid from old_rows limit 1;
      else
        insert into search_change (meeting_id) select null::uuid from new_rows limit 1;
      end if;
      return null;
    end $$`
  for (const table of ["body", "retired_slug"]) {
    yield* sql`create trigger ${sql(`${table}_added`)} after insert on ${sql(table)} referencing new table as new_rows for each statement execute function note_directory()`
    yield* sql`create trigger ${sql(`${table}_changed`)} after update on ${sql(table)} referencing new table as new_rows for each statement execute function note_directory()`
    yield* sql`create trigger ${sql(`${table}_removed`)} after delete on ${sql(table)} referencing old table as old_rows for each statement execute function note_directory()`
  }
})

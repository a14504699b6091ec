import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What a meeting's card says that there is of it (`has`) is made of these. */
const tables = ["transcript", "briefing", "clip", "media"]

/**
 * The search index knows what there is of a meeting, so that browse can ask it for meetings with a briefing or a video. All
 * else that the index has comes from `meeting_search`; the same function notes the changes of both.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A clip can come to be another meeting's, so an update changes the meetings from before, too.
  yield* sql`
    create or replace function note_searched() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into search_change (meeting_id) select distinct meeting_id from new_rows;
      elsif tg_op = 'DELETE' then
        insert into search_change (meeting_id) select distinct meeting_id from old_rows;
      else
        insert into search_change (meeting_id) select meeting_id from old_rows union select meeting_id from new_rows;
      end if;
      if found then
        perform pg_notify('search', '');
      end if;
      return null;
    end $$`
  yield* sql`drop trigger meeting_search_changed on meeting_search`
  yield* sql`create trigger meeting_search_changed after update on meeting_search referencing old table as old_rows new table as new_rows for each statement execute function note_searched()`
  for (const table of tables) {
    yield* sql`create trigger part_added after insert on ${sql(table)} referencing new table as new_rows for each statement execute function note_searched()`
    yield* sql`create trigger part_changed after update on ${sql(table)} referencing old table as old_rows new table as new_rows for each statement execute function note_searched()`
    yield* sql`create trigger part_removed after delete on ${sql(table)} referencing old table as old_rows for each statement execute function note_searched()`
  }
})

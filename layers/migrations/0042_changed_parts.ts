import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What a meeting's card says that there is of it (`has`) is made of these. */
const tables = ["transcript", "briefing", "clip", "media"]

/**
 * The search index knows what there is of a meeting, so that browse can ask it for meetings with a briefing or a video. All
 * else that the index has comes from `meeting_search`, whose triggers note each change; these note the changes of the rest.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create function note_parts() returns trigger language plpgsql as $$
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
  for (const table of tables) {
    yield* sql`create trigger part_added after insert on ${sql(table)} referencing new table as new_rows for each statement execute function note_parts()`
    yield* sql`create trigger part_changed after update on ${sql(table)} referencing old table as old_rows new table as new_rows for each statement execute function note_parts()`
    yield* sql`create trigger part_removed after delete on ${sql(table)} referencing old table as old_rows for each statement execute function note_parts()`
  }
})

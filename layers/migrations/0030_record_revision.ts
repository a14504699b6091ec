import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What a public answer can be made of. For `user_clip`, the columns that show: its counters rise with every visit. */
const publicTables = [
  "place",
  "body",
  "body_place",
  "retired_slug",
  "held_count",
  "meeting",
  "removed_meeting",
  "meeting_search",
  "agenda_item",
  "chapter",
  "clip",
  "transcript",
  "transcript_chunk",
  "transcript_speaker",
  "briefing",
  "claims",
  "claim",
  "recap",
  "agenda_summary",
  "figure",
  "media",
  "setting"
]

/**
 * The record's revision: a number that each transaction raises by one if it changes anything that is public, so that an
 * answer that was made under a number holds as long as the number does.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The revision is the sum of all rows. A transaction raises one that no other is raising, so that writers never wait for
  // each other here; there come to be as many rows as there ever were writers at the same moment.
  yield* sql`
    create table record_revision (
      slot int primary key generated always as identity,
      raised bigint not null default 0
    )`
  yield* sql`insert into record_revision default values`
  // Once per transaction: the setting ends with it, and with a savepoint that is rolled back.
  yield* sql`
    create function raise_record_revision() returns trigger language plpgsql as $$
    declare
      transaction text := pg_current_xact_id()::text;
      free int;
    begin
      if current_setting('civic_record.raised', true) is distinct from transaction then
        select slot into free from record_revision order by slot limit 1 for update skip locked;
        if found then
          update record_revision set raised = raised + 1 where slot = free;
        else
          insert into record_revision (raised) values (1);
        end if;
        perform set_config('civic_record.raised', transaction, true);
      end if;
      return null;
    end $$`
  for (const table of publicTables) {
    yield* sql`
      create trigger raises_revision after insert or update or delete or truncate on ${sql(table)}
      for each statement execute function raise_record_revision()`
  }
  yield* sql`
    create trigger raises_revision after insert or delete or truncate or update of title, start, "end", state, slug
    on user_clip for each statement execute function raise_record_revision()`
})

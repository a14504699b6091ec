import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What a source offers of a meeting beside its files, which of its meetings are one, and which hosts keep everyone away. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Where the source has the agenda's items as data. `same_meeting` is the meeting on record that a calendar's meeting is, where
  // another source had brought it before: it stays under the id that readers know.
  yield* sql`
    alter table discovered
      add column items_url text,
      add column same_meeting uuid references meeting on delete set null`
  yield* sql`create index discovered_same_meeting on discovered (same_meeting) where same_meeting is not null`

  // Since when a host has answered nothing but that it wants to be left alone.
  yield* sql`alter table host_pace add column held_since timestamptz`
})

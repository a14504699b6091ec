import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What crawling a calendar has to remember. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // What the server said about the calendar's page, by which it can say next time that nothing has changed.
  yield* sql`alter table source add column etag text, add column last_modified text`

  // The body's own id in the source, where it has one: a body that is renamed keeps it.
  yield* sql`alter table source_body add column external_id text`
  yield* sql`create index source_body_external on source_body (source_id, external_id) where external_id is not null`

  // `withdrawn_at` is when the source had stopped listing the meeting without saying that it was cancelled.
  yield* sql`
    alter table discovered
      add column location text,
      add column join_url text,
      add column minutes_url text,
      add column captions_url text,
      add column withdrawn_at timestamptz`
  yield* sql`create index discovered_imported on discovered (source_id, date) where imported_at is not null`
})

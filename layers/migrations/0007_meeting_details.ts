import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Where a meeting takes place, how to join it, and the public documents about it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table meeting
      add column location text,
      add column join_url text,
      add column minutes_url text,
      add column video_url text,
      -- [{ title, url }], in the order of the source.
      add column attachments jsonb not null default '[]'`
})

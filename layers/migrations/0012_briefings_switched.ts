import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Meetings whose briefing a setting served or withheld, and that are still to be indexed and announced as changed. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create table briefing_switched (meeting_id uuid primary key references meeting on delete cascade)`
})

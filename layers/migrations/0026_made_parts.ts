import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which parts of a meeting were made here, by which stage, prompt and model. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `mark` says which state of the part was made here: one that has another has been imported since, and is left alone.
  yield* sql`
    create table made_part (
      meeting_id uuid not null references meeting on delete cascade,
      part text not null,
      generator text not null,
      mark text not null,
      made_at timestamptz not null default clock_timestamp(),
      primary key (meeting_id, part)
    )`
})

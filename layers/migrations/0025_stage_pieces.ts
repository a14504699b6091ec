import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What a stage has finished of its work, so that a worker that takes it over does not pay for it again. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `key` is a hash of everything that the piece was made from. The stage deletes its pieces when it is done.
  yield* sql`
    create table stage_piece (
      task_id uuid not null references task on delete cascade,
      key text not null,
      value json not null,
      made_at timestamptz not null default clock_timestamp(),
      primary key (task_id, key)
    )`
})

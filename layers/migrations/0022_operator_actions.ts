import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What operators did on the console and the command line. Completion runs and settings have histories of their own. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Without foreign keys: a line outlives what it is about. `operator` is an e-mail address, or says where the action came
  // from. `detail` holds no secret.
  yield* sql`
    create table operator_action (
      id bigint generated always as identity primary key,
      at timestamptz not null default clock_timestamp(),
      operator text not null,
      action text not null,
      subject text not null,
      detail jsonb not null default '{}'
    )`
  yield* sql`create index operator_action_at on operator_action (at)`
})

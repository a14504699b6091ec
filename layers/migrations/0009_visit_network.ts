import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** From which network a visitor came, as a hash under the salt of the day like the visitor: one network counts so often. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table user_clip_visit add column network bytea check (length(network) = 32)`
  // Of those that were counted already nobody knows it: each is taken for a network of its own until the day is over.
  yield* sql`update user_clip_visit set network = visitor`
  yield* sql`alter table user_clip_visit alter column network set not null`
  yield* sql`create index user_clip_visit_network on user_clip_visit (user_clip_id, day, network)`
})

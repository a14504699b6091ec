import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The secret address at which an account's follows are a calendar. An account has one at most; only its token's hash is kept. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table calendar_address (
      account_id uuid primary key references account on delete cascade,
      token_hash bytea not null unique,
      created_at timestamptz not null
    )`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Drills as they are run: in a database of their own, from a calendar that is served while they last. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The token is derived from the id by a signing key, so that nothing here opens the drill's addresses. Its flow is in the
  // drill's own database. `origin` is where the calendar is served, `seen_at` the last sign of life of the process that runs
  // the drill: without one for half a minute, it was killed.
  yield* sql`
    alter table drill
      drop column token,
      drop column flow_id,
      add column origin text,
      add column calendar jsonb,
      add column seen_at timestamptz not null default clock_timestamp(),
      alter column report drop not null,
      alter column report drop default,
      add check (state = 'running' or calendar is null)`
})

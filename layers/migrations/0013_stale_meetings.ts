import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Meetings that changed because something they show did (the name of their body, a setting), and that are still to be
 * indexed and announced. `briefing`: whether their briefing is served changed too.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table stale_meeting (
      meeting_id uuid primary key references meeting on delete cascade,
      briefing boolean not null
    )`
  yield* sql`insert into stale_meeting (meeting_id, briefing) select meeting_id, true from briefing_switched`
  yield* sql`drop table briefing_switched`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A briefing without claims has nothing to wait for: it is served as unchecked, whether or not it has a `claims` line. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create or replace view published_briefing as
    select b.* from briefing b
    where coalesce((select value = 'false' from setting where name = 'pipeline.ClaimCheck'), false)
      or not exists (select from claim c where c.meeting_id = b.meeting_id and c.verdict is null)`
  // Those that were pending for want of a claims line are on their cards from now on, and found by their headlines.
  yield* sql`
    with shown as (
      update meeting m set updated_at = now()
      from briefing b
      where b.meeting_id = m.id and not exists (select from claims c where c.meeting_id = m.id)
      returning m.id
    )
    select index_meetings(coalesce((select array_agg(id) from shown), '{}'))`
})

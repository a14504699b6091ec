import { Effect } from "effect"
import type { Sql } from "../../../../layers/db/db.ts"

/**
 * Forgets segments after a week, and the changes that every segment still known has. A day of changes stays in any case,
 * for lines that are further than their base.
 */
export const pruneChanges = Effect.fn("SearchIndex.prune")(function* (db: Sql) {
  yield* db`delete from search_segment where made_at < now() - interval '7 days'`
  yield* db`
    delete from search_change where changed_at < now() - interval '1 day' and xid < coalesce(
      (select pg_snapshot_xmin(position) from search_segment order by 1 limit 1), pg_snapshot_xmin(pg_current_snapshot()))`
})

import { Context, Effect } from "effect"
import type { Statement } from "effect/sql"
import type { ReadSql, Sql } from "../../../layers/db/db.ts"

/**
 * The revision of the record (RecordRevision) that the current request has read, if any. A cache that was complete at a
 * revision need not check the database for changes while it sees the same one.
 */
export const SeenRevision = Context.Reference<string | undefined>("civic-record/SeenRevision", {
  defaultValue: () => undefined
})

/**
 * The rows of `search_change` that are visible now and were not in the snapshot `position`, as a subselect:
 * `meeting_id`, which is null for a change of the directory. A position is a `pg_snapshot` of the primary as text. A
 * replica can tell which changes are newer than a position, but cannot produce one: it does not know which transactions
 * are running.
 */
export const changedSince = (db: ReadSql, position: string): Statement.Fragment => db`(
  select c.meeting_id from search_change c
  where c.xid >= pg_snapshot_xmin(${position}::pg_snapshot)
    and not pg_visible_in_snapshot(c.xid, ${position}::pg_snapshot))`

/**
 * Whether meetings, or the directory, changed since a position. Reads the newest rows first, since only those can be
 * new; an `exists` would be planned as a scan of all rows.
 */
export const hasChangedSince = (db: ReadSql, position: string, what: "meetings" | "directory") =>
  Effect.map(
    db`
      select from search_change c
      where c.xid >= pg_snapshot_xmin(${position}::pg_snapshot)
        and not pg_visible_in_snapshot(c.xid, ${position}::pg_snapshot)
        and (c.meeting_id is null) = ${what === "directory"}::boolean
      order by c.xid desc limit 1`,
    (rows) => rows.length > 0
  )

/**
 * Deletes segments after a week, and the changes that every remaining segment has. At least a day of changes is
 * retained, for lines that are ahead of their base.
 */
export const pruneChanges = Effect.fn("SearchIndex.prune")(function* (db: Sql) {
  yield* db`delete from search_segment where made_at < now() - interval '7 days'`
  yield* db`
    delete from search_change where changed_at < now() - interval '1 day' and xid < coalesce(
      (select pg_snapshot_xmin(position) from search_segment order by 1 limit 1),
      pg_snapshot_xmin(pg_current_snapshot()))`
})

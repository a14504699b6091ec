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

/** Up to which changes something was read: they are in a snapshot of the primary, on its timeline. */
export interface Position {
  readonly timeline: string
  /** A `pg_snapshot` as text. */
  readonly position: string
}

/** The position of the primary now, as columns. */
export const positionNow = (db: Sql): Statement.Fragment =>
  db`current_timeline() as timeline, pg_current_snapshot()::text as position`

/**
 * Whether the primary still has what it had at a position. After a failover or a restore it may have lost some of it,
 * and gives its transaction ids to others, which would pass for changes that were seen.
 */
export const isKept = (db: Sql, { timeline, position }: Position): Statement.Fragment => db`(
  current_timeline() = ${timeline}
    and pg_snapshot_xmax(${position}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()))`

/**
 * The rows of `search_change` that are visible now and were not in the snapshot `position`, as a subselect:
 * `meeting_id`, which is null for a change of the directory. A replica can tell which changes are newer than a
 * position, but cannot produce one: it does not know which transactions are running.
 */
export const changedSince = (db: ReadSql, position: string): Statement.Fragment => db`(
  select c.meeting_id from search_change c
  where c.xid >= pg_snapshot_xmin(${position}::pg_snapshot)
    and not pg_visible_in_snapshot(c.xid, ${position}::pg_snapshot))`

/**
 * Whether meetings, or the directory, changed since a position, or it is one on another timeline. Reads the newest rows
 * first, since only those can be new; an `exists` would be planned as a scan of all rows.
 */
export const hasChangedSince = (db: ReadSql, { timeline, position }: Position, what: "meetings" | "directory") =>
  Effect.map(
    db`
      select where current_timeline() is distinct from ${timeline} union all (
        select from search_change c
        where c.xid >= pg_snapshot_xmin(${position}::pg_snapshot)
          and not pg_visible_in_snapshot(c.xid, ${position}::pg_snapshot)
          and (c.meeting_id is null) = ${what === "directory"}::boolean
        order by c.xid desc limit 1)`,
    (rows) => rows.length > 0
  )

/**
 * Deletes segments after a week, and the changes that every remaining segment has. At least a day of changes is
 * retained, for lines that are ahead of their base.
 */
const pruneChanges = Effect.fn("SearchIndex.prune")(function* (db: Sql) {
  yield* db`delete from search_segment where made_at < now() - interval '7 days'`
  yield* db`
    delete from search_change where changed_at < now() - interval '1 day' and xid < coalesce(
      (select pg_snapshot_xmin(position) from search_segment order by 1 limit 1),
      pg_snapshot_xmin(pg_current_snapshot()))`
})

/** Does so each hour. */
export const pruningChanges = (db: Sql) =>
  pruneChanges(db).pipe(
    Effect.catchCause((cause) => Effect.logWarning("Old changes of the search index were not removed", cause)),
    Effect.andThen(Effect.sleep("1 hour")),
    Effect.forever
  )

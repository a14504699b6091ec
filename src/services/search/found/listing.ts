import { Data, DateTime, Effect, Option, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import { mostRemoved } from "../../../../schema/browse.ts"
import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import { type Cursor, cursorOf } from "../../../../schema/cursor.ts"
import { MeetingId } from "../../../../schema/primitives.ts"
import { given } from "../../wire.ts"
import { conditionsOn } from "../query/filters.ts"
import type { Wanted } from "./found.ts"
import { foundMeetings, hasStatus, onBodiesAndYears } from "./found-in-sql.ts"

/** A parameter that is sound by itself does not go with another; `why` completes "`field` …". */
export class UnfitParameter extends Data.TaggedError("UnfitParameter")<{
  readonly field: string
  readonly why: string
  readonly instead: string
}> {}

/** The first parameter of a query that does not go with the others, if any. */
export const misfitOf = ({ after, page, group_by, sort, status = [], q = "" }: BrowseQuery) => {
  const misfit = (field: string, why: string, instead: string) => new UnfitParameter({ field, why, instead })
  if (q.trim() !== "" && status.some((one) => one !== "held")) {
    return misfit("status", "does not go with q: words are searched in held meetings", "Leave out q, or status.")
  }
  if (after === undefined) return undefined
  if (page !== undefined) return misfit("after", "does not go with page", "Send either after or page.")
  if (group_by !== undefined) return misfit("after", "does not go with group_by", "Page through groups by page.")
  const made = Option.getOrUndefined(cursorOf(after))?.sort
  return sort === undefined || sort === made
    ? undefined
    : misfit("after", `is of a list with sort=${made}`, "Leave out sort, or begin that list again without after.")
}

/** What comes after a key and an id in each order, of rows `m` of `meeting`, and the order itself. */
const keysets: {
  readonly [Sort in Cursor["sort"]]: (
    db: ReadSql,
    key: string,
    id: string
  ) => { readonly rest: Statement.Fragment; readonly order: Statement.Fragment }
} = {
  newest: (db, key, id) => ({
    rest: db`m.date <= ${key}::date and (m.date < ${key}::date or m.id > ${id}::uuid)`,
    order: db`m.date desc, m.id`
  }),
  oldest: (db, key, id) => ({
    rest: db`m.date >= ${key}::date and (m.date > ${key}::date or m.id > ${id}::uuid)`,
    order: db`m.date, m.id`
  }),
  updated: (db, key, id) => ({
    rest: db`m.updated_at <= ${key}::timestamptz and (m.updated_at < ${key}::timestamptz or m.id > ${id}::uuid)`,
    order: db`m.updated_at desc, m.id`
  })
}

/**
 * The ids of the next meetings of a list, always from PostgreSQL. In `sort=updated`, one that changes meanwhile goes to
 * the front: it is among those changed since the list's `as_of`.
 */
export const pageAfter = Effect.fn("Browse.pageAfter")(function* (
  db: ReadSql,
  { filters, search }: Wanted,
  { sort, key, id }: Cursor,
  limit: number
) {
  const { rest, order } = keysets[sort](db, key, id)
  const conditions = [
    rest,
    ...hasStatus(db, filters),
    ...conditionsOn(db, filters, "meeting"),
    ...onBodiesAndYears(db, filters),
    ...(search === undefined ? [] : [db`m.id in (select id from ${foundMeetings(db, [], search)} found)`])
  ]
  const rows = yield* db<{ id: string }>`
    select m.id from meeting m where ${db.and(conditions)} order by ${order} limit ${limit}`
  return rows.map((row) => row.id)
})

/**
 * The instant before which every change is on this connection's record: a mirror that sends it as `updated_since` next
 * time misses none. It is that of the newest change, so that it stays while the record does. But a change is stamped
 * before it is committed, so it is not later than the start of the oldest open transaction; a replica knows none of
 * them, and assumes a minute. Some seconds are taken off for clocks that differ.
 */
export const completeAsOf = Effect.fn("Browse.asOf")(function* (db: ReadSql) {
  const now = DateTime.formatIso(yield* DateTime.now)
  const rows = yield* db<{ as_of: Date }>`
    select least(${now}::timestamptz,
      greatest((select max(updated_at) from meeting), (select max(removed_at) from removed_meeting)),
      case when pg_is_in_recovery() then coalesce(pg_last_xact_replay_timestamp(), clock_timestamp()) - interval '1 minute'
        else coalesce(
          (select min(xact_start) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'),
          clock_timestamp()) - interval '5 seconds' end) as as_of`
  return rows.map(({ as_of }) => as_of.toISOString()).join()
})

const removedRows = rowsBy(
  Schema.Struct({ id: MeetingId, removed_at: Schema.Date, merged_into: Schema.NullOr(MeetingId) })
)

/** The meetings that were taken off the record since an instant, oldest first; a page of them. */
export const removedSince = Effect.fn("Browse.removedSince")(function* (db: ReadSql, since: string) {
  const rows = yield* removedRows(db`
    select id, removed_at, merged_into from removed_meeting where removed_at >= ${since}::timestamptz
    order by removed_at, id limit ${mostRemoved}`)
  return rows.map(({ id, removed_at, merged_into }) => ({
    id,
    removed_at: removed_at.toISOString(),
    ...given("merged_into", merged_into)
  }))
})

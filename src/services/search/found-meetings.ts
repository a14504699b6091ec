import type { ReadSql } from "../../../layers/db/db.ts"
import type { SearchQuery } from "../../../schema/search-query.ts"
import { type ActiveFilter, conditionsOn } from "./filters.ts"
import { fits } from "./search-sql.ts"

/**
 * The held meetings that fit a search and the filters on meetings, before the filters on bodies and years: a
 * subselect of `id, body_id, date, year` and, with a search, `named`, the vector of what each meeting is about.
 */
const candidates = (db: ReadSql, filters: ReadonlyArray<ActiveFilter>, search: SearchQuery | undefined) => {
  const onMeeting = conditionsOn(db, filters, "meeting")
  if (search === undefined) {
    return db`(
      select m.id, m.body_id, m.date, m.year from meeting m where ${db.and([db`m.status = 'held'`, ...onMeeting])})`
  }
  const conditions = [
    fits(db, search),
    ...(onMeeting.length === 0 ? [] : [db`s.meeting_id in (select m.id from meeting m where ${db.and(onMeeting)})`])
  ]
  return db`(
    select s.meeting_id as id, s.body_id, s.date, s.year, s.named from meeting_search s where ${db.and(conditions)})`
}

/** The held meetings that fit a search and every filter, as a subselect with the columns of `candidates`. */
export const foundMeetings = (db: ReadSql, filters: ReadonlyArray<ActiveFilter>, search: SearchQuery | undefined) => {
  const onBody = conditionsOn(db, filters, "body")
  return db`(
    select * from ${candidates(db, filters, search)} candidate where ${db.and([
      ...conditionsOn(db, filters, "year"),
      ...(onBody.length === 0 ? [] : [db`body_id in (select b.id from body b where ${db.and(onBody)})`])
    ])})`
}

/**
 * How many held meetings each body has in each year, before the filters on bodies and years: rows `body_id, year, n`.
 * They come from `held_count` unless a search or a filter has to look at the meetings themselves.
 */
export const heldByBodyAndYear = (
  db: ReadSql,
  filters: ReadonlyArray<ActiveFilter>,
  search: SearchQuery | undefined
) =>
  search === undefined && conditionsOn(db, filters, "meeting").length === 0
    ? db`select body_id, year, held as n from held_count where held > 0`
    : db`select body_id, year, count(*)::int as n from ${candidates(db, filters, search)} candidate group by 1, 2`

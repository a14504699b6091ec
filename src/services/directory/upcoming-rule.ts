import type { ReadSql } from "../../../layers/db/db.ts"

/** How many days ahead the crawl detects meetings (spec section 8). */
export const upcomingWindow = 30

/**
 * Whether meeting `m` is upcoming at the instant `now` (ISO 8601), cancelled ones included: on a day from today through
 * `days` days from now in its own time zone, and not begun more than six hours ago. No zone is more than a day from
 * UTC, so an index finds the candidate days, and only those at either end are checked in the meeting's own zone, which
 * costs more than everything else.
 */
export const isUpcoming = (db: ReadSql, now: string, days: number) => db`(
  m.status in ('upcoming', 'cancelled')
  and m.date between ${now}::date - 1 and ${now}::date + ${days + 1}::int
  and (m.date between ${now}::date + 1 and ${now}::date + ${days - 1}::int
    or m.date between (${now}::timestamptz at time zone m.timezone)::date
      and (${now}::timestamptz at time zone m.timezone)::date + ${days}::int)
  and (m.starts_at is null or m.starts_at >= ${now}::timestamptz - interval '6 hours'))`

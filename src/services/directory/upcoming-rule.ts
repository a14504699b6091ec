import type { Sql } from "../../../layers/db.ts"

/** How many days ahead the crawl detects meetings (spec section 8). */
export const upcomingWindow = 30

/**
 * Whether a meeting `m` is to come at the instant `now` (ISO 8601), or was to come and is cancelled: on a day from today
 * through `days` days from now in its own time zone, and not begun more than six hours ago. The second bound on the date is a
 * day looser and ignores time zones, so that an index can answer it.
 */
export const isUpcoming = (db: Sql, now: string, days: number) => db`(
  m.status in ('upcoming', 'cancelled')
  and m.date between (${now}::timestamptz at time zone m.timezone)::date
    and (${now}::timestamptz at time zone m.timezone)::date + ${days}::int
  and m.date between ${now}::date - 1 and ${now}::date + ${days + 1}::int
  and (m.starts_at is null or m.starts_at >= ${now}::timestamptz - interval '6 hours'))`

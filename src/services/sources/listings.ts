import type { Sql } from "../../../layers/db/db.ts"
import { isChannel } from "./channels.ts"

/** Whether a discovered meeting `d` is a source's entry for a meeting `m` on record. */
export const isListing = (db: Sql) => db`(d.same_meeting = m.id or d.id = m.id and d.same_meeting is null)`

/** Of several entries `d` for a meeting `m`, the order in which they are believed: a live one, then its own. */
export const byLead = (db: Sql) => db`d.withdrawn_at is not null, d.status = 'cancelled', d.id <> m.id, d.id`

/** Whether an entry `d` of a channel of recordings, whose source is `s`, leaves the meeting `m` to a calendar. */
const isLedByCalendar = (db: Sql) => db`(${isChannel(db, "s")} and exists (
  select from discovered o join source c on c.id = o.source_id
  where o.same_meeting = m.id and not ${isChannel(db, "c")}))`

/**
 * What a source says of each of its meetings on record, a row per meeting: the fields of its leading entry, and of the
 * addresses the first that an entry has.
 */
export const saidOf = (db: Sql, source: string) => db`(
  select lead.*, rest.location, rest.join_url, rest.source_url, rest.agenda_url, rest.minutes_url, rest.video_url,
    rest.attachments
  from (
    select distinct on (m.id) m.id, d.title, d.date, d.starts_at, d.timezone, d.status,
      exists (select from discovered own where own.id = m.id and own.source_id = d.source_id) as is_own
    from meeting m join discovered d on ${isListing(db)} join source s on s.id = d.source_id
    where d.source_id = ${source} and d.imported_at is not null and not ${isLedByCalendar(db)}
    order by m.id, ${byLead(db)}) lead
  join (
    select m.id, ${db.csv(
      ["location", "join_url", "source_url", "agenda_url", "minutes_url", "video_url"].map(
        (field) => db`(array_agg(d.${db.literal(field)} order by ${byLead(db)})
          filter (where d.${db.literal(field)} is not null))[1] as ${db.literal(field)}`
      )
    )}, coalesce((array_agg(d.attachments order by ${byLead(db)}) filter (where d.attachments <> '[]'))[1], '[]')
        as attachments
    from meeting m join discovered d on ${isListing(db)}
    where d.source_id = ${source} and d.imported_at is not null group by m.id) rest on rest.id = lead.id)`

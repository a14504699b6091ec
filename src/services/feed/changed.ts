import { DateTime, Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingEvent } from "../../../schema/events.ts"
import type { ClipId, MeetingId } from "../../../schema/primitives.ts"
import { cardsOf, meetingSlug } from "../meetings/cards.ts"
import { handedOut } from "../meetings/part-sql.ts"
import { type NewEvent, recordFeed } from "./record.ts"

/** Consequences of a change beyond the meetings themselves. */
interface Details {
  /** The meetings among them that this transaction put on record, whatever their status. */
  readonly published?: ReadonlySet<MeetingId>
  /** Parts that became ready for single meetings: events of their own streams. */
  readonly also?: ReadonlyArray<MeetingEvent>
}

const none: ReadonlySet<MeetingId> = new Set()

/**
 * The door through which a meeting changes. Every writer of a meeting, or of anything that its card or its search words
 * are made of, calls this as the last thing in its transaction: it sets `updated_at`, updates the search index and
 * writes the events of both streams, so that none of the three can be forgotten. A meeting that this transaction put on
 * record has its `updated_at` already, and loses its tombstone if it had been removed before.
 */
export const meetingsChanged = Effect.fn("Feed.meetingsChanged")(function* (
  db: Sql,
  ids: ReadonlyArray<MeetingId>,
  { published = none, also = [] }: Details = {}
) {
  if (ids.length === 0) return yield* recordFeed(db, also)
  const now = DateTime.formatIso(yield* DateTime.now)
  const updated = ids.filter((id) => !published.has(id))
  if (updated.length > 0) yield* db`update meeting set updated_at = ${now} where id = any(${updated}::uuid[])`
  if (updated.length < ids.length) yield* db`delete from removed_meeting where id = any(${ids}::uuid[])`
  yield* db`select index_meetings(${ids}::uuid[])`
  // Stored with paths: an importer need not know the service's public address.
  const cards = yield* cardsOf(db, ids, "")
  const told = cards.map(
    (card): NewEvent => ({ event: published.has(card.id) ? "meeting.published" : "meeting.updated", data: card })
  )
  yield* recordFeed(db, [...told, ...(yield* clipEvents(db, ids)), ...also])
})

/** An event for each clip of these meetings that can be watched and was not told of since it was published. */
const clipEvents = Effect.fnUntraced(function* (db: Sql, ids: ReadonlyArray<MeetingId>) {
  const clips = yield* db<{ meeting_id: MeetingId; clip_id: ClipId }>`
    with withdrawn as (
      update clip set announced = false
      where meeting_id = any(${ids}::uuid[]) and announced and state <> 'published'),
    told as (
      update clip t set announced = true from ${handedOut(db)}
      where t.id = c.id and t.meeting_id = any(${ids}::uuid[]) and not t.announced
      returning t.meeting_id, t.id as clip_id, t.start)
    select meeting_id, clip_id from told order by meeting_id, start, clip_id`
  return clips.map((data): MeetingEvent => ({ event: "clip.published", data }))
})

/** An event for each of these meetings that has a briefing: it is served now, or waits for the claim check. */
export const briefingEvents = Effect.fnUntraced(function* (db: Sql, ids: ReadonlyArray<MeetingId>) {
  if (ids.length === 0) return []
  const briefings = yield* db<{ meeting_id: MeetingId; served: boolean }>`
    select meeting_id, served is not null as served from briefing
    where meeting_id = any(${ids}::uuid[]) order by meeting_id`
  return briefings.map(
    ({ meeting_id, served }): MeetingEvent => ({
      event: served ? "briefing.verified" : "briefing.pending",
      data: { meeting_id }
    })
  )
})

/** A meeting that was just taken off the record. */
export interface RemovedMeeting {
  readonly id: MeetingId
  readonly slug: string
}

/**
 * The door through which meetings leave the record, the last thing in the writer's transaction: it writes a tombstone
 * with the public reason, deletes the meetings with everything that belongs to them, records which media to delete from
 * the store, and announces the removal. Earlier events of the meetings are deleted too, because a stream resumed from
 * before them would still send their cards. `along` deletes rows that the meetings referred to, such as their body.
 * Returns the meetings that were on record.
 */
export const meetingsRemoved = Effect.fn("Feed.meetingsRemoved")(function* (
  db: Sql,
  ids: ReadonlyArray<string>,
  reason: string | undefined,
  along: Effect.Effect<unknown, SqlError.SqlError> = Effect.void
) {
  const now = DateTime.formatIso(yield* DateTime.now)
  const rows = yield* db<{ id: MeetingId; short_id: string; slug: string; date: string }>`
    select m.id, m.short_id, b.slug, m.date::text as date from meeting m join body b on b.id = m.body_id
    where m.id = any(${ids}::uuid[]) order by m.id for update of m`
  const tombstones = JSON.stringify(rows.map((row) => ({ ...row, slug: meetingSlug(row) })))
  const removed = yield* db<RemovedMeeting>`
    insert into removed_meeting (id, short_id, slug, reason, removed_at)
    select id, short_id, slug, ${reason ?? null}, ${now}
    from json_to_recordset(${tombstones}::json) as (id uuid, short_id text, slug text)
    returning id, slug`
  const gone = removed.map(({ id }) => id)
  yield* db`
    insert into removed_media (key)
    select key from media where meeting_id = any(${gone}::uuid[])
    union select key from part_version where meeting_id = any(${gone}::uuid[]) and key is not null
    on conflict do nothing`
  // Those that were merged into one of them go with it.
  yield* db`update removed_meeting set reason = ${reason ?? null} where merged_into = any(${gone}::uuid[])`
  yield* db`delete from meeting where id = any(${gone}::uuid[])`
  yield* db`delete from feed_event where meeting_id = any(${gone}::uuid[])`
  yield* along
  yield* recordFeed(
    db,
    gone.map((id) => ({ event: "meeting.removed", data: { id } }))
  )
  return removed
})

/**
 * Has the addresses of a removed meeting lead to the one that it turned out to be, if that is on record. Returns
 * whether they did not before.
 */
export const mergeNoted = Effect.fnUntraced(function* (db: Sql, id: MeetingId, into: MeetingId | undefined) {
  const noted = yield* db`
    update removed_meeting set merged_into = m.id from meeting m
    where removed_meeting.id = ${id} and m.id = ${into ?? null}::uuid and merged_into is distinct from m.id
    returning removed_meeting.id`
  return noted.length > 0
})

/**
 * Leaves the tombstone of a meeting that is not on record: it was removed elsewhere, or before. Returns the change: a
 * `new` tombstone, its `reason`, or none (`same`).
 */
export const removalNoted = Effect.fnUntraced(function* (db: Sql, id: MeetingId, reason: string | undefined) {
  const [known] = yield* db<{ reason: string | null }>`select reason from removed_meeting where id = ${id} for update`
  if (known !== undefined) {
    if (known.reason === (reason ?? null)) return "same"
    yield* db`update removed_meeting set reason = ${reason ?? null} where id = ${id}`
    return "reason"
  }
  const now = DateTime.formatIso(yield* DateTime.now)
  const hex = id.replaceAll("-", "")
  // Its short id here, as the trigger on `meeting` would assign it. Its slug is not known.
  yield* db`
    insert into removed_meeting (id, short_id, slug, reason, removed_at)
    select ${id}, short_id, short_id, ${reason ?? null}, ${now}
    from (select left(${hex}::text, digits) as short_id from generate_series(8, 32) digits) given
    where not exists (select from meeting m where m.short_id = given.short_id)
      and not exists (select from removed_meeting r where r.short_id = given.short_id)
    order by length(short_id) limit 1`
  yield* recordFeed(db, [{ event: "meeting.removed", data: { id } }])
  return "new"
})

import { DateTime, Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"
import type { MeetingEvent } from "../../../schema/events.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { cardsOf } from "../meetings/cards.ts"
import { type NewEvent, recordFeed } from "./record.ts"

/** What there is to say of a change beyond which meetings it was of. */
interface Details {
  /** Those of the meetings that this transaction put on record. */
  readonly published?: ReadonlySet<MeetingId>
  /** Those that it put on record as cancelled: the stream does not announce a meeting that will not take place. */
  readonly unannounced?: ReadonlySet<MeetingId>
  /** What became ready of single meetings, for those who follow them. */
  readonly also?: ReadonlyArray<MeetingEvent>
}

const none: ReadonlySet<MeetingId> = new Set()

/**
 * The door through which a meeting changes. Whatever writes a meeting, or anything its card or its search words are made
 * of, calls this as the last thing in its transaction: it sets `updated_at`, brings the search index along, and writes the
 * events of both streams, so that none of the three can be forgotten. A meeting that this
 * transaction put on record has its `updated_at` already.
 */
export const meetingsChanged = Effect.fn("Feed.meetingsChanged")(function* (
  db: Sql,
  ids: ReadonlyArray<MeetingId>,
  { published = none, unannounced = none, also = [] }: Details = {}
) {
  if (ids.length === 0) return
  const now = DateTime.formatIso(yield* DateTime.now)
  const updated = ids.filter((id) => !published.has(id) && !unannounced.has(id))
  if (updated.length > 0) yield* db`update meeting set updated_at = ${now} where id = any(${updated}::uuid[])`
  yield* db`select index_meetings(${ids}::uuid[])`
  const cards = yield* cardsOf(
    db,
    ids.filter((id) => !unannounced.has(id))
  )
  const told = cards.map(
    (card): NewEvent => ({ event: published.has(card.id) ? "meeting.published" : "meeting.updated", data: card })
  )
  yield* recordFeed(db, [...told, ...also])
})

/** Whether the briefing of each of these meetings is served now, or waits for its claims to be checked. */
export const briefingEvents = Effect.fnUntraced(function* (db: Sql, ids: ReadonlyArray<MeetingId>) {
  if (ids.length === 0) return []
  const briefings = yield* db<{ meeting_id: MeetingId; served: boolean }>`
    select b.meeting_id, exists (select from published_briefing p where p.meeting_id = b.meeting_id) as served
    from briefing b where b.meeting_id = any(${ids}::uuid[]) order by b.meeting_id`
  return briefings.map(
    ({ meeting_id, served }): MeetingEvent => ({
      event: served ? "briefing.verified" : "briefing.pending",
      data: { meeting_id }
    })
  )
})

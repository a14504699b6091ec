import { Context, DateTime, Effect } from "effect"
import { advisoryLocks, inOrder } from "../../../layers/db/advisory-locks.ts"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingEvent, MeetingsEvent } from "../../../schema/events.ts"

/** An event to be written to the feed. */
export type NewEvent = MeetingsEvent | MeetingEvent

/**
 * True inside a transaction that will be rolled back: no event is written, and the lock, which would be held until the
 * transaction ends, is not taken.
 */
export const Rehearsal = Context.Reference<boolean>("civic-record/Feed/Rehearsal", { defaultValue: () => false })

/** The channel `meetings` is the stream of all meetings, `meeting` that of a single one. */
const row = (event: NewEvent) =>
  "meeting_id" in event.data
    ? { channel: "meeting", meeting_id: event.data.meeting_id, ...event }
    : { channel: "meetings", meeting_id: event.data.id, ...event }

/** Writes these events as the last thing in the caller's transaction, which holds one lock from then on. */
export const recordFeed = Effect.fn("Feed.record")(function* (db: Sql, events: ReadonlyArray<NewEvent>) {
  if (events.length === 0 || (yield* Rehearsal)) return
  const now = DateTime.formatIso(yield* DateTime.now)
  const rows = JSON.stringify(events.map(row))
  yield* db`
    ${inOrder(db, advisoryLocks.feed)}
    insert into feed_event (channel, meeting_id, event, data, created_at)
    select event.channel, event.meeting_id, event.event, event.data, ${now}
    from held, rows from (json_to_recordset(${rows}::json)
      as (channel text, meeting_id uuid, event text, data jsonb)) with ordinality
      event (channel, meeting_id, event, data, position)
    order by event.position`
})

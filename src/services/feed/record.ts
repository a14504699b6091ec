import { Context, DateTime, Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"
import type { MeetingEvent, MeetingsEvent } from "../../../schema/events.ts"

/** An event that is to be told. */
export type NewEvent = MeetingsEvent | MeetingEvent

/** Any number that no other lock of this database has. */
const feedLock = 4_715_002

/**
 * Set where a transaction will be taken back: nothing is told, and the lock, which would be held until its end, is not
 * taken.
 */
export const Rehearsal = Context.Reference<boolean>("civic-record/Feed/Rehearsal", { defaultValue: () => false })

/** `meetings` is the stream of all meetings, `meeting` that of one. */
const row = (told: NewEvent) =>
  "meeting_id" in told.data
    ? { channel: "meeting", meeting_id: told.data.meeting_id, ...told }
    : { channel: "meetings", meeting_id: told.data.id, ...told }

/**
 * Tells these events, with the caller's transaction and as the last thing it does: all who tell something wait for one
 * lock until they have committed, so that ids become visible in the order in which they rise.
 */
export const recordFeed = Effect.fn("Feed.record")(function* (db: Sql, events: ReadonlyArray<NewEvent>) {
  if (events.length === 0 || (yield* Rehearsal)) return
  const now = DateTime.formatIso(yield* DateTime.now)
  const rows = JSON.stringify(events.map(row))
  // A row is made of the lock and an event, so no id is given before the lock is.
  yield* db`
    with held as materialized (select pg_advisory_xact_lock(${feedLock}))
    insert into feed_event (channel, meeting_id, event, data, created_at)
    select told.channel, told.meeting_id, told.event, told.data, ${now}
    from held, rows from (json_to_recordset(${rows}::json)
      as (channel text, meeting_id uuid, event text, data jsonb)) with ordinality
      told (channel, meeting_id, event, data, position)
    order by told.position`
})

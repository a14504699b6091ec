import { Effect } from "effect"
import { Db, type Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { briefingEvents, meetingsChanged } from "./changed.ts"

/** Meetings announced per transaction, so that readers of the feed and other writers do not wait long for one. */
const batchSize = 500

/**
 * Marks, in the caller's transaction, every meeting of these bodies as showing something that changed. Marking is
 * quick, however many there are; call `announceStale` after the commit.
 */
export const noteMeetingsOf = (db: Sql, bodies: ReadonlyArray<number>) => db`
  insert into stale_meeting (meeting_id, briefing)
  select id, false from meeting where body_id = any(${bodies}::int[]) order by id
  on conflict do nothing`

/** The same for the meetings of these votes. */
export const noteMeetingsOfVotes = (db: Sql, votes: ReadonlyArray<string>) => db`
  insert into stale_meeting (meeting_id, briefing)
  select distinct meeting_id, false from vote where id = any(${votes}::uuid[]) and meeting_id is not null
  order by meeting_id on conflict do nothing`

/** The same for these meetings. */
export const noteMeetings = (db: Sql, meetings: ReadonlyArray<MeetingId>) => db`
  insert into stale_meeting (meeting_id, briefing) select id, false from unnest(${meetings}::uuid[]) id
  on conflict do nothing`

/** The same for these meetings, of whose briefings something else is served. */
export const noteBriefingsOf = (db: Sql, meetings: ReadonlyArray<MeetingId>) => db`
  insert into stale_meeting (meeting_id, briefing)
  select id, true from unnest(${meetings}::uuid[]) id
  on conflict (meeting_id) do update set briefing = true`

/** Announces one batch; returns how many meetings it had. Concurrent callers get other meetings. */
const announceBatch = Effect.fnUntraced(function* (db: Sql) {
  const batch = yield* db<{ meeting_id: MeetingId; briefing: boolean }>`
    delete from stale_meeting where meeting_id = any(array(
      select meeting_id from stale_meeting order by meeting_id limit ${batchSize} for update skip locked))
    returning meeting_id, briefing`
  const switched = batch.flatMap(({ meeting_id, briefing }) => (briefing ? [meeting_id] : []))
  yield* meetingsChanged(
    db,
    batch.map(({ meeting_id }) => meeting_id),
    { also: yield* briefingEvents(db, switched) }
  )
  return batch.length
})

/**
 * Indexes and announces the marked meetings, 500 per transaction. If the process is killed, finished batches stay, and
 * the next caller does the rest: every worker calls it each minute.
 */
export const announceStale = Effect.flatMap(Db, (db) =>
  db.withTransaction(announceBatch(db)).pipe(Effect.repeat({ until: (count) => count === 0 }))
).pipe(Effect.asVoid, Effect.withSpan("Feed.announceStale"))

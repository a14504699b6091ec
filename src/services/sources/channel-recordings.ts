import { Context, Effect, Layer } from "effect"
import { Db, dbDies, type Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { meetingNotFound, type NotFound, recordingNotFound, sourceNotFound, type UnknownAgency } from "../failures.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { recordAction } from "../history.ts"
import { idOf } from "../meetings/sql.ts"
import { addFlows } from "../queue/add-flows.ts"
import { anyBody } from "./source-bodies.ts"

/** The days before and after the day in question on which the meetings are proposed. */
const daysBefore = 9
const daysAfter = 1

/** A recording of a channel that waits for an operator. */
export interface WaitingRecording {
  readonly title: string
  readonly address: string
  /** The day that its title says, or else the day on which it came online. */
  readonly date: string
  readonly why: string
  /** Meetings of its body about that day that have no recording, the nearest first. */
  readonly meetings: ReadonlyArray<{ readonly id: MeetingId; readonly date: string; readonly title: string }>
}

/** Pairs the recordings of channels with meetings: what is certain is left to crawls, the rest to operators. */
export class ChannelRecordings extends Context.Service<
  ChannelRecordings,
  {
    /** Fails if one of these slugs is no body's, before a channel is added for it. */
    readonly check: (slugs: ReadonlyArray<string>) => Effect.Effect<void, UnknownAgency>
    /** Says which bodies a channel belongs to, by their slugs, or none; it is read anew. Returns whether it is new. */
    readonly belongsTo: (id: string, slugs: ReadonlyArray<string>) => Effect.Effect<boolean, NotFound | UnknownAgency>
    /** The slugs of the bodies that a channel belongs to; empty if its titles alone say. */
    readonly bodies: (id: string) => Effect.Effect<ReadonlyArray<string>>
    /** The recordings that wait for an operator, the newest first. */
    readonly waiting: (id: string) => Effect.Effect<ReadonlyArray<WaitingRecording>>
    /**
     * Settles a recording, by its address: it is of this meeting, or of none that is on record. Returns whether that
     * changed something.
     */
    readonly settle: (id: string, address: string, meeting: string | undefined) => Effect.Effect<boolean, NotFound>
  }
>()("civic-record/ChannelRecordings") {
  static readonly layer = Layer.effect(
    ChannelRecordings,
    Effect.gen(function* () {
      const db = yield* Db

      const locked = Effect.fnUntraced(function* (ref: string) {
        const [row] = yield* db<{ id: string }>`select id from source where id = ${idOf(ref)} for no key update`
        return row?.id ?? (yield* sourceNotFound(ref))
      })

      const belongsTo = Effect.fn("ChannelRecordings.belongsTo")(
        function* (ref: string, slugs: ReadonlyArray<string>) {
          const id = yield* locked(ref)
          yield* anyBody(db)(slugs)
          const changed = yield* db`
            update source set body_slugs = ${slugs}::text[], etag = null, last_modified = null
            where id = ${id} and coalesce(body_slugs, '{}') <> ${slugs}::text[] returning id`
          if (changed.length > 0) yield* recordAction(db, "source.belongs", id, { bodies: slugs })
          return changed.length > 0
        },
        (changed) => dbDies(db.withTransaction(changed))
      )

      const bodies = Effect.fn("ChannelRecordings.bodies")(function* (ref: string) {
        const [row] = yield* db<{ slugs: ReadonlyArray<string> }>`
          select coalesce(body_slugs, '{}') as slugs from source where id = ${idOf(ref)}`
        return row?.slugs ?? []
      }, dbDies)

      const waiting = Effect.fn("ChannelRecordings.waiting")(function* (ref: string) {
        return yield* db<WaitingRecording>`
          select u.title, u.video_url as address, u.date::text as date, u.why, coalesce((
            select json_agg(json_build_object('id', near.id, 'date', near.date, 'title', near.title))
            from (
              select m.id, m.date, m.title from meeting m join body b on b.id = m.body_id
              where b.slug = u.body and m.video_url is null and m.status <> 'cancelled'
                and m.date between u.date - ${daysBefore}::int and u.date + ${daysAfter}::int
              order by abs(m.date - u.date), m.id limit 3) near), '[]') as meetings
          from unpaired_recording u where u.source_id = ${idOf(ref)} order by u.date desc, u.id`
      }, dbDies)

      const settle = Effect.fn("ChannelRecordings.settle")(
        function* (ref: string, address: string, meeting: string | undefined) {
          const id = yield* locked(ref)
          const [entry] = yield* db<{ isNew: boolean }>`
            update discovered d set imported_at = clock_timestamp() from discovered before
            where d.source_id = ${id} and d.video_url = ${address.trim()} and before.id = d.id
            returning before.imported_at is null as "isNew"`
          if (entry === undefined) return yield* recordingNotFound(address)
          const isShown = meeting === undefined ? false : yield* showAt(db, meeting, address.trim())
          if (!entry.isNew && !isShown) return false
          yield* recordAction(db, "source.pair", id, { recording: address, meeting: meeting ?? null })
          return true
        },
        (settled) => dbDies(db.withTransaction(settled))
      )

      return { check: (slugs) => Effect.asVoid(anyBody(db)(slugs)), belongsTo, bodies, waiting, settle }
    })
  )
}

/** Gives a meeting its recording, and has it fetched where it may be. Returns whether it had another. */
const showAt = Effect.fnUntraced(function* (db: Sql, meeting: string, address: string) {
  const [known] = yield* db<{ id: MeetingId; isShown: boolean }>`
    select id, video_url is not distinct from ${address} as "isShown" from meeting where id = ${idOf(meeting)} for update`
  if (known === undefined) return yield* meetingNotFound(meeting)
  if (known.isShown) return false
  yield* db`update meeting set video_url = ${address} where id = ${known.id}`
  yield* meetingsChanged(db, [known.id])
  const toMake = yield* db<{ meeting_id: MeetingId }>`
    select m.id as meeting_id from meeting m where m.id = ${known.id} and m.status <> 'cancelled'
      and not exists (select from media s where s.meeting_id = m.id and s.role = 'source')
      and not exists (select from transcript t where t.meeting_id = m.id)`
  yield* addFlows(db, "meeting", toMake)
  return true
})

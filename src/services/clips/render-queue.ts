import { randomUUID } from "node:crypto"
import { Context, DateTime, Effect, Layer, Queue, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type Sql } from "../../../layers/db.ts"
import type { ClipId, MeetingId, UserClipId } from "../../../schema/primitives.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { recordFeed } from "../feed/record.ts"
import { communitySet, type Stretch } from "../meetings/community-set.ts"
import { clipKey } from "../meetings/media-tier.ts"

/** A clip that one worker is rendering. `holder` is the worker's claim: without it nothing can be settled. */
export type RenderJob = {
  readonly id: string
  readonly holder: string
  /** This attempt counted, from 1. */
  readonly attempts: number
  readonly meetingId: MeetingId
  readonly span: Stretch
} & ({ readonly kind: "user_clip"; readonly clipId: UserClipId } | { readonly kind: "clip"; readonly clipId: ClipId })

/** What was made of a clip. */
export interface Rendered {
  readonly bytes: number
  readonly width: number
  readonly height: number
  readonly duration: number
}

interface JobRow {
  readonly id: string
  readonly attempts: number
  readonly user_clip_id: UserClipId | null
  readonly clip_id: ClipId | null
  readonly meeting_id: MeetingId
  readonly start: number
  readonly end: number
}

/** Seconds that a claim holds without a heartbeat: how long a killed worker keeps others waiting. */
export const leaseSeconds = 15

/** Puts a reader's clip in the queue, in the caller's transaction. */
export const enqueueUserClip = (db: Sql, id: UserClipId) => db`insert into render_job (user_clip_id) values (${id})`

/** Puts a curated clip in the queue, in the caller's transaction; one that is waiting already keeps its place. */
export const enqueueClip = (db: Sql, id: ClipId) =>
  db`insert into render_job (clip_id) values (${id}) on conflict (clip_id) do nothing`

/**
 * Clips that wait to be rendered, in PostgreSQL. A worker claims one for a quarter of a minute and renews the claim with
 * heartbeats; the claim of a killed worker lapses. A job is settled in one transaction that first locks the claim's row:
 * if two workers both believe that they hold the claim, one is right, and a deleted clip is no longer there to be settled.
 */
export class RenderQueue extends Context.Service<
  RenderQueue,
  {
    /** The clip that has waited longest; undefined if none is due. */
    readonly claim: Effect.Effect<RenderJob | undefined, SqlError.SqlError>
    /** Renews a claim and reports progress, 0 to 1; false if the claim is lost or its clip was deleted. */
    readonly beat: (job: RenderJob, progress: number) => Effect.Effect<boolean, SqlError.SqlError>
    /**
     * Runs `put` while the claim cannot be lost, then makes the clip ready and announces it. False, without running `put`,
     * if the claim is lost. A clip whose `put` fails stays as it was.
     */
    readonly finish: <E, R>(
      job: RenderJob,
      rendered: Rendered,
      put: Effect.Effect<void, E, R>
    ) => Effect.Effect<boolean, E | SqlError.SqlError, R>
    /** Ends it for good; `reason` is fit to be shown. */
    readonly fail: (job: RenderJob, reason: string) => Effect.Effect<void, SqlError.SqlError>
    /** Lets it be claimed again after this many seconds. */
    readonly retry: (job: RenderJob, seconds: number) => Effect.Effect<void, SqlError.SqlError>
    /** Gives it back as if it had not been claimed. */
    readonly giveBack: (job: RenderJob) => Effect.Effect<void, SqlError.SqlError>
    /** Listens, within the scope, for clips that join the queue; each `take` stands for at least one. */
    readonly listen: Effect.Effect<Effect.Effect<void, unknown>, SqlError.SqlError, Scope.Scope>
  }
>()("civic-record/RenderQueue") {
  static readonly layer = Layer.effect(
    RenderQueue,
    Effect.gen(function* () {
      const db = yield* Db
      const lease = db.literal(`interval '${leaseSeconds} seconds'`)
      const held = ({ id, holder }: RenderJob) => db`id = ${id} and held_by = ${holder}`

      const claim = Effect.fn("RenderQueue.claim")(function* () {
        const holder = randomUUID()
        const [row] = yield* db<JobRow>`
          with claimed as (
            update render_job set held_by = ${holder}, held_until = now() + ${lease}, attempts = attempts + 1, progress = 0
            where id = (
              select id from render_job where due_at <= now() and (held_until is null or held_until <= now())
              order by due_at, id limit 1 for update skip locked)
            returning id, attempts, user_clip_id, clip_id)
          select claimed.*, coalesce(u.meeting_id, c.meeting_id) as meeting_id,
            coalesce(u.start, c.start)::float8 as start, coalesce(u."end", c."end")::float8 as "end"
          from claimed left join user_clip u on u.id = claimed.user_clip_id left join clip c on c.id = claimed.clip_id`
        if (row === undefined) return undefined
        const { id, attempts, start, end } = row
        const job = { id, holder, attempts, meetingId: row.meeting_id, span: { start, end } }
        if (row.user_clip_id !== null) return { ...job, kind: "user_clip" as const, clipId: row.user_clip_id }
        // The table's check: it is one of the two.
        return row.clip_id === null ? undefined : { ...job, kind: "clip" as const, clipId: row.clip_id }
      })

      const beat = Effect.fn("RenderQueue.beat")(function* (job: RenderJob, progress: number) {
        const rows = yield* db`
          update render_job set held_until = now() + ${lease}, progress = ${Math.min(1, Math.max(0, progress))}
          where ${held(job)} returning id`
        return rows.length > 0
      })

      /**
       * Locks the claim's row for the rest of the transaction, whatever its lease says; false if it is not ours. Rows are
       * locked in the order that every writer keeps: the meeting that will change, the clip, the job.
       */
      const take = Effect.fnUntraced(function* (job: RenderJob) {
        if (job.kind === "user_clip") yield* db`select from user_clip where id = ${job.clipId} for no key update`
        else {
          yield* db`select from meeting where id = ${job.meetingId} for no key update`
          yield* db`select from clip where id = ${job.clipId} for no key update`
        }
        const rows = yield* db`select from render_job where ${held(job)} for update`
        return rows.length > 0
      })

      /** Only a clip of the community set is announced: the slug of any other is its owner's to share. */
      const inSet = Effect.fnUntraced(function* (meetingId: MeetingId, id: UserClipId) {
        const curated = yield* db<Stretch>`
          select start::float8 as start, "end"::float8 as "end" from clip
          where meeting_id = ${meetingId} and state = 'published'`
        const oldestFirst = yield* db<Stretch & { id: UserClipId; slug: string }>`
          select id, slug, start::float8 as start, "end"::float8 as "end" from user_clip
          where meeting_id = ${meetingId} and state = 'ready' order by created_at, id`
        return communitySet(curated, oldestFirst).find((clip) => clip.id === id)
      })

      const settle = Effect.fnUntraced(function* (job: RenderJob, rendered: Rendered) {
        const { meetingId } = job
        const now = DateTime.formatIso(yield* DateTime.now)
        yield* db`delete from render_job where id = ${job.id}`
        if (job.kind === "user_clip") {
          yield* db`update user_clip set state = 'ready', ready_at = ${now} where id = ${job.clipId}`
          const announced = yield* inSet(meetingId, job.clipId)
          return yield* recordFeed(
            db,
            announced === undefined
              ? []
              : [{ event: "community_clip.ready", data: { meeting_id: meetingId, slug: announced.slug } }]
          )
        }
        yield* db`
          insert into media ${db.insert({
            key: clipKey(meetingId, job.clipId),
            meeting_id: meetingId,
            role: "clip",
            subject: job.clipId,
            media_type: "video/mp4",
            ...rendered,
            content_hash: `rendered ${now}`
          })}
          on conflict (key) do update set bytes = excluded.bytes, width = excluded.width, height = excluded.height,
            duration = excluded.duration, content_hash = excluded.content_hash`
        const published = yield* db`select from clip where id = ${job.clipId} and state = 'published'`
        if (published.length === 0) return
        yield* meetingsChanged(db, [meetingId], {
          also: [{ event: "clip.published", data: { meeting_id: meetingId, clip_id: job.clipId } }]
        })
      })

      return RenderQueue.of({
        claim: claim(),
        beat,
        finish: Effect.fn("RenderQueue.finish")((job, rendered, put) =>
          db.withTransaction(
            Effect.gen(function* () {
              if (!(yield* take(job))) return false
              // So that no sweep deletes it, if the meeting had been removed and came back.
              if (job.kind === "clip") {
                yield* db`delete from removed_media where key = ${clipKey(job.meetingId, job.clipId)}`
              }
              yield* put
              yield* settle(job, rendered)
              return true
            })
          )
        ),
        fail: Effect.fn("RenderQueue.fail")((job, reason) =>
          db.withTransaction(
            Effect.gen(function* () {
              if (!(yield* take(job))) return
              yield* db`delete from render_job where id = ${job.id}`
              if (job.kind === "user_clip") {
                yield* db`update user_clip set state = 'failed', failure = ${reason} where id = ${job.clipId}`
              }
            })
          )
        ),
        retry: Effect.fn("RenderQueue.retry")((job, seconds) =>
          Effect.asVoid(db`
            update render_job
            set held_by = null, held_until = null, due_at = now() + ${seconds}::float8 * interval '1 second'
            where ${held(job)}`)
        ),
        giveBack: Effect.fn("RenderQueue.giveBack")((job) =>
          Effect.asVoid(db`
            update render_job set held_by = null, held_until = null, attempts = attempts - 1 where ${held(job)}`)
        ),
        listen: Effect.map(db.listen("render_job"), (notices) => Effect.asVoid(Queue.takeAll(notices)))
      })
    })
  )
}

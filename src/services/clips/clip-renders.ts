import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type Sql } from "../../../layers/db/db.ts"
import type { Span } from "../../../schema/briefing.ts"
import type { ClipId, MeetingId, UserClipId } from "../../../schema/primitives.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { recordFeed } from "../feed/record.ts"
import { communitySet } from "../meetings/community-set.ts"
import { clipKey } from "../meetings/media-tier.ts"
import { addFlows } from "../queue/add-flows.ts"
import type { ClaimedTask } from "../queue/tasks.ts"

/** A clip to render. */
export type ClipToRender = { readonly meetingId: MeetingId; readonly span: Span } & (
  | { readonly kind: "user_clip"; readonly clipId: UserClipId }
  | { readonly kind: "clip"; readonly clipId: ClipId }
)

/** A rendered clip. */
export interface Rendered {
  readonly bytes: number
  readonly width: number
  readonly height: number
  readonly duration: number
}

/** Queues a reader's clip for rendering, in the caller's transaction. */
export const enqueueUserClip = (db: Sql, id: UserClipId) => addFlows(db, "clip", [{ user_clip_id: id }])

/** Queues a curated clip for rendering, in the caller's transaction; one that is already queued stays queued. */
export const enqueueClip = (db: Sql, id: ClipId) => addFlows(db, "clip", [{ clip_id: id }])

/** Reads and writes for rendering a clip. Writes run in the transaction that settles the task. */
export class ClipRenders extends Context.Service<
  ClipRenders,
  {
    /** The clip that a task is about; undefined if it was deleted. */
    readonly wanted: (task: ClaimedTask) => Effect.Effect<ClipToRender | undefined, SqlError.SqlError>
    /**
     * Protects a clip's object from the sweep of removed media, if its meeting was removed and came back. Called before
     * the upload.
     */
    readonly keep: (clip: ClipToRender) => Effect.Effect<void, SqlError.SqlError>
    /** Makes a clip ready, and announces it. */
    readonly ready: (clip: ClipToRender, rendered: Rendered) => Effect.Effect<void, SqlError.SqlError>
    /** A reader's clip cannot be rendered; `reason` is fit to be shown. */
    readonly failed: (task: ClaimedTask, reason: string) => Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/ClipRenders") {
  static readonly layer = Layer.effect(
    ClipRenders,
    Effect.gen(function* () {
      const db = yield* Db

      const wanted = Effect.fn("ClipRenders.wanted")(function* ({ userClipId, clipId }: ClaimedTask) {
        const columns = db.literal(`meeting_id, start::float8 as start, "end"::float8 as "end"`)
        type Row = Span & { readonly meeting_id: MeetingId }
        if (userClipId !== null) {
          const [row] = yield* db<Row>`select ${columns} from user_clip where id = ${userClipId}`
          return row && { ...asWanted(row), kind: "user_clip" as const, clipId: userClipId }
        }
        if (clipId === null) return undefined
        const [row] = yield* db<Row>`select ${columns} from clip where id = ${clipId}`
        return row && { ...asWanted(row), kind: "clip" as const, clipId }
      })

      /** Only a clip of the community set is announced: the slug of any other is its owner's to share. */
      const inSet = Effect.fnUntraced(function* (meetingId: MeetingId, id: UserClipId) {
        const curated = yield* db<Span>`
          select start::float8 as start, "end"::float8 as "end" from clip
          where meeting_id = ${meetingId} and state = 'published'`
        const oldestFirst = yield* db<Span & { id: UserClipId; slug: string }>`
          select id, slug, start::float8 as start, "end"::float8 as "end" from user_clip
          where meeting_id = ${meetingId} and state = 'ready' order by created_at, id`
        return communitySet(curated, oldestFirst).find((clip) => clip.id === id)
      })

      const keep = Effect.fn("ClipRenders.keep")(function* ({ kind, meetingId, clipId }: ClipToRender) {
        if (kind === "clip") yield* db`delete from removed_media where key = ${clipKey(meetingId, clipId)}`
      })

      const ready = Effect.fn("ClipRenders.ready")(function* (clip: ClipToRender, rendered: Rendered) {
        const { meetingId } = clip
        const now = DateTime.formatIso(yield* DateTime.now)
        if (clip.kind === "user_clip") {
          yield* db`update user_clip set state = 'ready', ready_at = ${now} where id = ${clip.clipId}`
          const announced = yield* inSet(meetingId, clip.clipId)
          return yield* recordFeed(
            db,
            announced === undefined
              ? []
              : [{ event: "community_clip.ready", data: { meeting_id: meetingId, slug: announced.slug } }]
          )
        }
        yield* db`
          insert into media ${db.insert({
            key: clipKey(meetingId, clip.clipId),
            meeting_id: meetingId,
            role: "clip",
            subject: clip.clipId,
            media_type: "video/mp4",
            ...rendered,
            content_hash: `rendered ${now}`
          })}
          on conflict (key) do update set bytes = excluded.bytes, width = excluded.width, height = excluded.height,
            duration = excluded.duration, content_hash = excluded.content_hash`
        const published = yield* db`select from clip where id = ${clip.clipId} and state = 'published'`
        if (published.length > 0) yield* meetingsChanged(db, [meetingId])
      })

      const failed = Effect.fn("ClipRenders.failed")(
        ({ userClipId }: ClaimedTask, reason: string) =>
          db`update user_clip set state = 'failed', failure = ${reason} where id = ${userClipId}`,
        Effect.asVoid
      )

      return { wanted, keep, ready, failed }
    })
  )
}

const asWanted = ({ meeting_id, start, end }: Span & { readonly meeting_id: MeetingId }) => ({
  meetingId: meeting_id,
  span: { start, end }
})

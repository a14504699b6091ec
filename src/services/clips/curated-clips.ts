import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { Db, dbDies } from "../../../layers/db.ts"
import type { ClipState } from "../../../schema/clip.ts"
import type { ClipId, MeetingId } from "../../../schema/primitives.ts"
import { feedOfMeetings } from "../feed/changed.ts"
import { recordFeed } from "../feed/record.ts"
import { clipKey } from "../meetings/media-tier.ts"
import { idOf } from "../meetings/sql.ts"
import { enqueueClip } from "./render-queue.ts"

/** No curated clip has the id. */
export class ClipNotFound extends Schema.TaggedError<ClipNotFound>()("ClipNotFound", {
  id: Schema.String,
  message: Schema.String
}) {}

export interface Decided {
  readonly title: string
  readonly was: ClipState
  /** Whether it is still to be rendered before it can be watched. */
  readonly rendering: boolean
}

/** What an operator decides of highlight clips (spec section 3): only what is published is ever shown or signed. */
export class CuratedClips extends Context.Service<
  CuratedClips,
  {
    /** Publishes a clip, whatever it was; one without media is put in the queue to be rendered. */
    readonly publish: (id: string) => Effect.Effect<Decided, ClipNotFound>
    /** Dismisses a clip: it is listed and signed no more, and is kept. */
    readonly dismiss: (id: string) => Effect.Effect<Decided, ClipNotFound>
  }
>()("civic-record/CuratedClips") {
  static readonly layer = Layer.effect(
    CuratedClips,
    Effect.gen(function* () {
      const db = yield* Db

      const decide = Effect.fnUntraced(
        function* (id: string, state: ClipState) {
          const [clip] = yield* db<{ id: ClipId; meeting_id: MeetingId; title: string; state: ClipState }>`
            select id, meeting_id, title, state from clip where id = ${idOf(id)} for update`
          if (clip === undefined) {
            const message = `There is no clip ${id}. The ids are in the bundle that the clips came with.`
            return yield* new ClipNotFound({ id, message })
          }
          const { id: clip_id, meeting_id, title } = clip
          const media = yield* db`select from media where key = ${clipKey(meeting_id, clip_id)}`
          const rendering = state === "published" && media.length === 0
          if (rendering) yield* enqueueClip(db, clip_id)
          if (clip.state !== state) {
            const now = DateTime.formatIso(yield* DateTime.now)
            yield* db`update clip set state = ${state} where id = ${clip_id}`
            yield* db`update meeting set updated_at = ${now} where id = ${meeting_id}`
            yield* db`select index_meetings(array[${meeting_id}]::uuid[])`
            yield* feedOfMeetings(db, [meeting_id])
            if (state === "published" && !rendering) {
              yield* recordFeed(db, [{ event: "clip.published", data: { meeting_id, clip_id } }])
            }
          }
          return { title, was: clip.state, rendering }
        },
        (decision) => dbDies(db.withTransaction(decision))
      )

      return {
        publish: Effect.fn("CuratedClips.publish")((id) => decide(id, "published")),
        dismiss: Effect.fn("CuratedClips.dismiss")((id) => decide(id, "dismissed"))
      }
    })
  )
}

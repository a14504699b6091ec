import { Context, Data, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { ClipState } from "../../../schema/clip.ts"
import type { ClipId, MeetingId } from "../../../schema/primitives.ts"
import type { Segment } from "../../../schema/transcript.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { recordAction } from "../history.ts"
import { clipKey, renditionKey } from "../meetings/media-tier.ts"
import { segmentsFrom } from "../meetings/packed-segments.ts"
import { idOf } from "../meetings/sql.ts"
import { enqueueClip } from "./clip-renders.ts"

/** No curated clip has the id. */
export class ClipNotFound extends Data.TaggedError("ClipNotFound")<{ readonly id: string }> {}

interface Decided {
  readonly title: string
  readonly was: ClipState
  /** Whether it can be watched: now, once a worker has rendered it, or not before the meeting has a recording. */
  readonly media: "ready" | "queued" | "no recording"
}

/** What an operator is told of a clip that was just published but cannot be watched yet; begins with a space. */
export const waitsFor = ({ media }: Decided): string =>
  ({
    ready: "",
    queued: " It can be watched once a worker has rendered it.",
    "no recording":
      " It cannot be watched: the meeting has no recording here. It is rendered, and announced, once there is one."
  })[media]

/** Clips per page of the list. */
export const clipPage = 50

/** A clip with its meeting; times in seconds. */
export interface ListedClip {
  readonly id: ClipId
  readonly title: string
  readonly state: ClipState
  readonly start: number
  readonly end: number
  /** Whether its media exist. */
  readonly rendered: boolean
  /** The key of the meeting's recording for the web, and whether it has a still picture. */
  readonly recording: string | null
  readonly has_poster: boolean
  /** What is said in it; empty without a transcript. */
  readonly words: string
  readonly meeting_id: MeetingId
  readonly meeting_title: string
  readonly body: string
  readonly date: string
}

interface ClipRow extends Omit<ListedClip, "words"> {
  readonly segments: Uint8Array | null
}

/** The most characters of a clip's words. */
const longestWords = 1500

/** What is said between two seconds. */
const saidBetween = (segments: ReadonlyArray<Segment>, start: number, end: number): string =>
  segments
    .filter((line) => line.end > start && line.start < end)
    .map(({ speaker, text }) => (speaker === undefined ? text : `${speaker}: ${text}`))
    .join(" ")
    .slice(0, longestWords)

/** Operators' decisions about highlight clips (spec section 3): only a published one is ever shown or signed. */
export class CuratedClips extends Context.Service<
  CuratedClips,
  {
    /** Publishes a clip, whatever its state; one without media is queued for rendering if there is a recording. */
    readonly publish: (id: string) => Effect.Effect<Decided, ClipNotFound>
    /** Dismisses a clip: it stays in the database, but is no longer listed or signed. */
    readonly dismiss: (id: string) => Effect.Effect<Decided, ClipNotFound>
    /** One page of the clips in a state, newest meetings first. */
    readonly list: (
      state: ClipState,
      page: number
    ) => Effect.Effect<{ readonly total: number; readonly clips: ReadonlyArray<ListedClip> }>
  }
>()("civic-record/CuratedClips") {
  static readonly layer = Layer.effect(
    CuratedClips,
    Effect.gen(function* () {
      const db = yield* Db

      const decide = Effect.fnUntraced(
        function* (id: string, state: ClipState) {
          // The meeting's row is locked before the clip's, the order of every writer.
          const [clip] = yield* db<{ id: ClipId; meeting_id: MeetingId; title: string; state: ClipState }>`
            select c.id, c.meeting_id, c.title, c.state from clip c join meeting m on m.id = c.meeting_id
            where c.id = ${idOf(id)} for no key update of m, c`
          if (clip === undefined) return yield* new ClipNotFound({ id })
          const { id: clip_id, meeting_id, title } = clip
          const keys = [clipKey(meeting_id, clip_id), renditionKey(meeting_id)]
          const held = yield* db<{ key: string }>`select key from media where key = any(${keys})`
          const has = (key: string | undefined) => held.some((one) => one.key === key)
          const media = state !== "published" || has(keys[0]) ? "ready" : has(keys[1]) ? "queued" : "no recording"
          if (media === "queued") yield* enqueueClip(db, clip_id)
          if (clip.state !== state) {
            yield* recordAction(db, state === "published" ? "clip.publish" : "clip.dismiss", clip_id, {
              was: clip.state
            })
            yield* db`update clip set state = ${state} where id = ${clip_id}`
            yield* meetingsChanged(db, [meeting_id])
          }
          return { title, was: clip.state, media } satisfies Decided
        },
        (decision) => dbDies(db.withTransaction(decision))
      )

      const list = Effect.fn("CuratedClips.list")(function* (state: ClipState, page: number) {
        const [counted] = yield* db<{ total: number }>`select count(*)::int as total from clip where state = ${state}`
        const rows = yield* db<ClipRow>`
          select c.id, c.title, c.state, c.start::float8 as start, c."end"::float8 as "end",
            exists (select from media d where d.meeting_id = c.meeting_id and d.role = 'clip' and d.subject = c.id)
              as rendered,
            (select d.key from media d where d.meeting_id = c.meeting_id and d.role = 'rendition') as recording,
            exists (select from media d where d.meeting_id = c.meeting_id and d.role = 'poster') as has_poster,
            t.segments,
            m.id as meeting_id, m.title as meeting_title, b.name as body, m.date::text as date
          from clip c join meeting m on m.id = c.meeting_id join body b on b.id = m.body_id
          left join transcript t on t.meeting_id = m.id and t.version = 'refined'
          where c.state = ${state} order by m.date desc, m.id, c.start, c.id
          limit ${clipPage} offset ${(page - 1) * clipPage}`
        const clips = yield* Effect.forEach(rows, ({ segments, ...clip }) =>
          Effect.map(
            segments === null ? Effect.succeed([]) : segmentsFrom(segments),
            (lines): ListedClip => ({
              ...clip,
              words: saidBetween(lines, clip.start, clip.end)
            })
          )
        )
        return { total: counted?.total ?? 0, clips }
      }, dbDies)

      return {
        list,
        publish: Effect.fn("CuratedClips.publish")((id) => decide(id, "published")),
        dismiss: Effect.fn("CuratedClips.dismiss")((id) => decide(id, "dismissed"))
      }
    })
  )
}

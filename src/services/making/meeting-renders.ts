import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { posterKey, renditionKey } from "../meetings/media-tier.ts"
import { addFlows } from "../queue/add-flows.ts"

/**
 * Begins the `content_hash` of media that were made here; the source's own follows. What was imported is never
 * replaced.
 */
const madeFrom = "rendered "

/** What is to be made from the source recording of a meeting. */
export interface MeetingToRender {
  readonly meetingId: MeetingId
  /** The key of the source recording, and the fingerprint of its line. */
  readonly source: { readonly key: string; readonly hash: string }
  /** Whose meeting of which day it is, to be burned in. */
  readonly watermark: string
  /** Whether the web rendition is still to be made from this source, and whether the poster is. */
  readonly rendition: boolean
  readonly poster: boolean
}

/** A file that was made: bytes, pixels, and the seconds of a recording. */
interface Made {
  readonly bytes: number
  readonly width: number
  readonly height: number
  readonly duration?: number
}

/** What was made of a source recording. */
export interface MadeMedia {
  readonly rendition?: Made | undefined
  readonly poster?: Made | undefined
}

interface Row {
  readonly key: string
  readonly hash: string
  readonly watermark: string
  readonly rendition: boolean
  readonly poster: boolean
}

/**
 * Whether a meeting `s` has media of this role that need not be made from its source: imported, or made from it
 * already.
 */
const has = (db: Sql, role: "rendition" | "poster") => db`exists (
  select from media d where d.meeting_id = s.meeting_id and d.role = ${role}
    and (d.content_hash not like ${`${madeFrom}%`} or d.content_hash = ${madeFrom} || s.content_hash))`

/**
 * Has the recordings of these meetings rendered, with the transaction that imports their sources. A meeting whose
 * rendition and poster were imported has nothing to be made.
 */
export const enqueueMeetingMedia = Effect.fnUntraced(function* (db: Sql, meetings: ReadonlyArray<MeetingId>) {
  if (meetings.length === 0) return
  const rows = yield* db<{ meeting_id: MeetingId }>`
    select s.meeting_id from media s
    where s.meeting_id = any(${meetings}::uuid[]) and s.role = 'source'
      and not (${has(db, "rendition")} and ${has(db, "poster")}) order by s.meeting_id`
  yield* addFlows(db, "meeting_media", rows)
})

/** What rendering the source recording of a meeting reads and writes. */
export class MeetingRenders extends Context.Service<
  MeetingRenders,
  {
    /** What is to be made for a meeting; undefined where it has no source recording. */
    readonly wanted: (meeting: MeetingId) => Effect.Effect<MeetingToRender | undefined, SqlError.SqlError>
    /**
     * The same again, in the transaction that settles the task, before anything is put into the store: the meeting is
     * held, so that no import gives it media meanwhile, and its objects are kept from the sweep of removed media.
     */
    readonly hold: (meeting: MeetingId) => Effect.Effect<MeetingToRender | undefined, SqlError.SqlError>
    /** Puts what was made on record, and tells it (`video.ready`). */
    readonly ready: (rendered: MeetingToRender, made: MadeMedia) => Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/MeetingRenders") {
  static readonly layer = Layer.effect(
    MeetingRenders,
    Effect.gen(function* () {
      const db = yield* Db

      const wanted = Effect.fn("MeetingRenders.wanted")(function* (meetingId: MeetingId) {
        const [row] = yield* db<Row>`
          select s.key, s.content_hash as hash, 'Civic Record · ' || b.name || ' · ' || m.date::text as watermark,
            not ${has(db, "rendition")} as rendition, not ${has(db, "poster")} as poster
          from media s join meeting m on m.id = s.meeting_id join body b on b.id = m.body_id
          where s.meeting_id = ${meetingId} and s.role = 'source'`
        if (row === undefined) return undefined
        const { key, hash, watermark, rendition, poster } = row
        return { meetingId, source: { key, hash }, watermark, rendition, poster }
      })

      const hold = Effect.fn("MeetingRenders.hold")(function* (meetingId: MeetingId) {
        yield* db`select from meeting where id = ${meetingId} for no key update`
        yield* db`delete from removed_media where key in (${renditionKey(meetingId)}, ${posterKey(meetingId)})`
        return yield* wanted(meetingId)
      })

      const ready = Effect.fn("MeetingRenders.ready")(function* (
        { meetingId, source }: MeetingToRender,
        { rendition, poster }: MadeMedia
      ) {
        const common = { meeting_id: meetingId, content_hash: madeFrom + source.hash }
        const put = (key: string, role: string, media_type: string, { duration, ...file }: Made) =>
          db`
            insert into media ${db.insert({ ...common, key, role, media_type, duration: duration ?? null, ...file })}
            on conflict (key) do update set media_type = excluded.media_type, bytes = excluded.bytes,
              width = excluded.width, height = excluded.height, duration = excluded.duration,
              content_hash = excluded.content_hash`
        if (rendition !== undefined) yield* put(renditionKey(meetingId), "rendition", "video/mp4", rendition)
        if (poster !== undefined) yield* put(posterKey(meetingId), "poster", "image/jpeg", poster)
        if (rendition === undefined && poster === undefined) return
        yield* meetingsChanged(db, [meetingId], {
          also: rendition === undefined ? [] : [{ event: "video.ready", data: { meeting_id: meetingId } }]
        })
      })

      return { wanted, hold, ready }
    })
  )
}

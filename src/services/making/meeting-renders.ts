import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type Sql } from "../../../layers/db/db.ts"
import type { ClipId, MeetingId } from "../../../schema/primitives.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { posterKey, renditionKey } from "../meetings/media-tier.ts"
import { addFlows } from "../queue/add-flows.ts"

/**
 * Prefixes the `content_hash` of media rendered here, before the hash of the source. Imported media are never replaced.
 */
const madeFrom = "rendered "

/** A meeting's source recording, and what is still to be rendered from it. */
export interface MeetingToRender {
  readonly meetingId: MeetingId
  /** The source's key, and the hash of its line in the bundle. */
  readonly source: { readonly key: string; readonly hash: string }
  /** The body and date, burned into the picture. */
  readonly watermark: string
  /** Whether the web rendition, and the poster, are still to be rendered from this source. */
  readonly rendition: boolean
  readonly poster: boolean
}

/** A rendered file: bytes, pixels, and the seconds of a recording. */
interface Made {
  readonly bytes: number
  readonly width: number
  readonly height: number
  readonly duration?: number
}

/** The files rendered from a source recording. */
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
 * Whether a meeting `s` has media of this role that need no rendering: imported, or rendered from this source already.
 */
const has = (db: Sql, role: "rendition" | "poster") => db`exists (
  select from media d where d.meeting_id = s.meeting_id and d.role = ${role}
    and (d.content_hash not like ${`${madeFrom}%`} or d.content_hash = ${madeFrom} || s.content_hash))`

/** Lets an imported rendition, poster and clips be made again, because an operator has replaced what they show. */
export const renderAnew = (db: Sql, meeting: MeetingId) => db`
  update media set content_hash = ${madeFrom} || content_hash
  where meeting_id = ${meeting} and role in ('rendition', 'poster', 'clip') and content_hash not like ${`${madeFrom}%`}`

/**
 * Queues the rendering of these meetings' recordings, in the transaction that imports their sources. A meeting whose
 * rendition and poster were imported is skipped.
 */
export const enqueueMeetingMedia = Effect.fnUntraced(function* (db: Sql, meetings: ReadonlyArray<MeetingId>) {
  if (meetings.length === 0) return
  const rows = yield* db<{ meeting_id: MeetingId }>`
    select s.meeting_id from media s
    where s.meeting_id = any(${meetings}::uuid[]) and s.role = 'source'
      and not (${has(db, "rendition")} and ${has(db, "poster")}) order by s.meeting_id`
  yield* addFlows(db, "meeting_media", rows)
})

/**
 * Queues the clips of a meeting that were published before it had a recording, and those that were cut here from the
 * one before this.
 */
const enqueueWaitingClips = Effect.fnUntraced(function* (db: Sql, meeting: MeetingId) {
  const clips = yield* db<{ clip_id: ClipId }>`
    select c.id as clip_id from clip c where c.meeting_id = ${meeting} and c.state = 'published' and not exists (
      select from media d where d.meeting_id = c.meeting_id and d.role = 'clip' and d.subject = c.id
        and d.content_hash not like ${`${madeFrom}%`}) order by c.id`
  yield* addFlows(db, "clip", clips)
})

/** The reads and writes of rendering a meeting's source recording. */
export class MeetingRenders extends Context.Service<
  MeetingRenders,
  {
    /** What to render for a meeting; undefined if it has no source recording. */
    readonly wanted: (meeting: MeetingId) => Effect.Effect<MeetingToRender | undefined, SqlError.SqlError>
    /**
     * The same again, in the transaction that settles the task, before anything is stored. It locks the meeting, so
     * that no import gives it media meanwhile, and keeps its objects from the sweep of removed media.
     */
    readonly hold: (meeting: MeetingId) => Effect.Effect<MeetingToRender | undefined, SqlError.SqlError>
    /** Puts the rendered media on record, and announces them (`video.ready`). */
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
        if (rendition !== undefined) yield* enqueueWaitingClips(db, meetingId)
        yield* meetingsChanged(db, [meetingId], {
          also: rendition === undefined ? [] : [{ event: "video.ready", data: { meeting_id: meetingId } }]
        })
      })

      return { wanted, hold, ready }
    })
  )
}

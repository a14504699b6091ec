import { Context, Effect, Layer } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { dbDies, ReadDb, type ReadSql } from "../../../layers/db/db.ts"
import { Signer } from "../../../layers/signer/signer.ts"
import type { Graphics } from "../../../schema/briefing.ts"
import type { Clips, CommunityClips } from "../../../schema/clip.ts"
import type { AgendaCopy, Video } from "../../../schema/media.ts"
import { type MeetingId, roundSeconds, type UserClipId } from "../../../schema/primitives.ts"
import { given, givenAddress } from "../wire.ts"
import { clipTitle } from "./clip-title.ts"
import { communitySet } from "./community-set.ts"
import { captionsPath, mediaPath, posterKey, userClipKey } from "./media-tier.ts"
import { MissingPart } from "./missing-part.ts"
import { handedOut, partSql } from "./part-sql.ts"
import { type ClipRow, clipCard } from "./refs.ts"
import { clipColumns, durationOf } from "./sql.ts"

interface FigureRow {
  readonly key: string
  readonly id: Graphics["figures"][number]["id"]
  readonly title: string
  readonly alt: string
  readonly media_type: string
  readonly width: number
  readonly height: number
}

interface VideoRow {
  readonly key: string
  readonly media_type: string
  readonly width: number
  readonly height: number
  readonly duration: number
  readonly has_poster: boolean
}

interface AgendaRow {
  readonly key: string
  readonly media_type: string
  readonly bytes: number
  readonly source_url: string | null
}

interface UserClipRow {
  readonly id: UserClipId
  readonly slug: string
  readonly title: string | null
  readonly start: number
  readonly end: number
  readonly has_words: boolean
}

/** Signs the address of an object for this visit, watch-only, and returns it with its expiry (spec section 8). */
export const signedAddress = Effect.gen(function* () {
  const signer = yield* Signer
  const { baseUrl } = yield* Environment
  return (key: string) =>
    Effect.map(signer.signMedia(key, { download: false }), ({ sig, expires_at }) => ({
      url: `${baseUrl}${mediaPath(key)}?sig=${sig}`,
      expires_at
    }))
})

/** Whether the meeting with this id has words for the captions of its clips. */
export const hasWords = (db: ReadSql, id: string) => partSql.transcript.isShown(db, db.literal(id))

/** Signs the address of a clip, and with it that of its captions, if its meeting has words. */
export const signedClip = Effect.map(
  Effect.all({ signed: signedAddress, environment: Environment }),
  ({ signed, environment: { baseUrl } }) =>
    (key: string, has_words: boolean) =>
      Effect.map(signed(key), (address) => ({
        ...address,
        ...(has_words ? { captions_url: `${baseUrl}${captionsPath(key)}${new URL(address.url).search}` } : {})
      }))
)

/**
 * The media of a meeting, each with an address signed for this visit: watch-only and valid for six hours (spec sections
 * 1 and 8). Only media that can be served have one.
 */
export class MeetingMedia extends Context.Service<
  MeetingMedia,
  {
    /** The briefing's figures, in the order in which it shows them. */
    readonly graphics: (meetingId: MeetingId) => Effect.Effect<Graphics>
    /** The 720p web rendition. */
    readonly video: (meetingId: MeetingId) => Effect.Effect<Video, MissingPart>
    /** The copy of the agenda PDF. */
    readonly agenda: (meetingId: MeetingId) => Effect.Effect<AgendaCopy, MissingPart>
    /** Published, rendered clips. Proposals, dismissed clips and alternates are never signed (spec section 3). */
    readonly clips: (meetingId: MeetingId) => Effect.Effect<Clips>
    /** The deduplicated set of readers' clips that are ready to watch. */
    readonly communityClips: (meetingId: MeetingId) => Effect.Effect<CommunityClips>
  }
>()("civic-record/MeetingMedia") {
  static readonly layer = Layer.effect(
    MeetingMedia,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const signed = yield* signedAddress
      const signedWithWords = yield* signedClip
      const { baseUrl } = yield* Environment

      const graphics = Effect.fn("MeetingMedia.graphics")(function* (meetingId: MeetingId) {
        const rows = yield* db<FigureRow>`
          select d.key, f.id, f.title, f.alt, d.media_type, d.width, d.height
          from figure f
          join media d on d.meeting_id = f.meeting_id and d.role = 'figure' and d.subject = f.id
          left join briefing b on b.meeting_id = f.meeting_id
          where f.meeting_id = ${meetingId} and d.width is not null and d.height is not null
          order by (
            select min(shown.position)
            from jsonb_array_elements_text(jsonb_path_query_array(b.written, '$.topics[*].figures[*]'))
              with ordinality shown (id, position)
            where shown.id = f.id::text) nulls last, f.id`
        const figures = yield* Effect.forEach(rows, ({ key, ...figure }) =>
          Effect.map(signed(key), (address) => ({ ...figure, ...address }))
        )
        return { meeting_id: meetingId, figures } satisfies Graphics
      }, dbDies)

      const video = Effect.fn("MeetingMedia.video")(function* (meetingId: MeetingId) {
        // A rendition is 720p; if its width is unknown, 16:9 is assumed.
        const [row] = yield* db<VideoRow>`
          select d.key, d.media_type, coalesce(d.width, 1280) as width, coalesce(d.height, 720) as height,
            coalesce(${durationOf(db)}, 0) as duration,
            exists (select from media p where p.meeting_id = m.id and p.role = 'poster') as has_poster
          from media d join meeting m on m.id = d.meeting_id
          where d.meeting_id = ${meetingId} and d.role = 'rendition'`
        if (row === undefined) return yield* new MissingPart({ meetingId, part: "video" })
        const { key, has_poster, ...rendition } = row
        return {
          meeting_id: meetingId,
          ...rendition,
          ...(yield* signed(key)),
          ...(has_poster ? { poster_url: `${baseUrl}${mediaPath(posterKey(meetingId))}` } : {})
        } satisfies Video
      }, dbDies)

      const agenda = Effect.fn("MeetingMedia.agenda")(function* (meetingId: MeetingId) {
        const [row] = yield* db<AgendaRow>`
          select d.key, d.media_type, d.bytes::float8 as bytes, m.agenda_url as source_url
          from media d join meeting m on m.id = d.meeting_id
          where d.meeting_id = ${meetingId} and d.role = 'agenda'`
        if (row === undefined) return yield* new MissingPart({ meetingId, part: "agenda_copy" })
        const { key, media_type, bytes, source_url } = row
        return {
          meeting_id: meetingId,
          media_type,
          bytes,
          ...(yield* signed(key)),
          ...givenAddress("source_url", source_url)
        } satisfies AgendaCopy
      }, dbDies)

      const clips = Effect.fn("MeetingMedia.clips")(function* (meetingId: MeetingId) {
        const rows = yield* db<ClipRow & { readonly key: string; readonly has_words: boolean }>`
          select d.key, ${clipColumns(db)}, ${hasWords(db, "c.meeting_id")} as has_words
          from ${handedOut(db)} where c.meeting_id = ${meetingId} order by c.start, c.id`
        const found = yield* Effect.forEach(rows, ({ key, has_words, ...clip }) =>
          Effect.map(signedWithWords(key, has_words), (address) => ({ ...clipCard(clip), ...address }))
        )
        return { meeting_id: meetingId, clips: found } satisfies Clips
      }, dbDies)

      const communityClips = Effect.fn("MeetingMedia.communityClips")(function* (meetingId: MeetingId) {
        const curated = yield* db<{ start: number; end: number }>`
          select start::float8 as start, "end"::float8 as "end" from clip
          where meeting_id = ${meetingId} and state = 'published'`
        const oldestFirst = yield* db<UserClipRow>`
          select u.id, u.slug, ${clipTitle(db)} as title, u.start::float8 as start, u."end"::float8 as "end",
            ${hasWords(db, "u.meeting_id")} as has_words
          from user_clip u where u.meeting_id = ${meetingId} and u.state = 'ready'
          order by u.created_at, u.id`
        const found = yield* Effect.forEach(
          communitySet(curated, oldestFirst),
          ({ id, title, slug, start, end, has_words }) =>
            Effect.map(signedWithWords(userClipKey(id), has_words), (address) => ({
              slug,
              ...given("title", title),
              start,
              end,
              duration: roundSeconds(end - start),
              ...address
            }))
        )
        return {
          meeting_id: meetingId,
          clips: found.toSorted((a, b) => a.start - b.start)
        } satisfies CommunityClips
      }, dbDies)

      return { graphics, video, agenda, clips, communityClips }
    })
  )
}

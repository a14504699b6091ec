import { ClipId, FigureId, MeetingId, UserClipId } from "../../../schema/primitives.ts"

/** An object served only with a signature (contract section 7), and its owner. */
type SignedObject =
  | { readonly kind: "clip"; readonly ids: { readonly meeting: MeetingId; readonly clip: ClipId } }
  | { readonly kind: "rendition"; readonly ids: { readonly meeting: MeetingId } }
  | { readonly kind: "agenda"; readonly ids: { readonly meeting: MeetingId } }
  | { readonly kind: "figure"; readonly ids: { readonly meeting: MeetingId; readonly figure: FigureId } }
  | { readonly kind: "user_clip"; readonly ids: { readonly userClip: UserClipId } }

/**
 * The access that an object requires (spec 4.5): none for tier 1, a live signature for tier 2; tier 3 is never served.
 * The shape of the key alone decides, before any lookup.
 */
export type MediaTier =
  | { readonly tier: 1; readonly key: string; readonly meetingId: MeetingId }
  | ({ readonly tier: 2; readonly key: string } & SignedObject)
  | { readonly tier: 3 }

/** Imported ids may have capitals, but a key has one spelling. */
const of = (id: string): string => id.toLowerCase()

/** The key of each kind of object; keys are spelled nowhere else. */
export const posterKey = (meeting: MeetingId): string => `meetings/${of(meeting)}/poster.jpg`
export const clipKey = (meeting: MeetingId, clip: ClipId): string => `meetings/${of(meeting)}/clips/${of(clip)}.mp4`
export const renditionKey = (meeting: MeetingId): string => `meetings/${of(meeting)}/web/720p.mp4`
export const agendaKey = (meeting: MeetingId): string => `meetings/${of(meeting)}/agenda.pdf`
export const figureKey = (meeting: MeetingId, figure: FigureId): string =>
  `meetings/${of(meeting)}/figures/${of(figure)}.png`
export const userClipKey = (clip: UserClipId): string => `user-clips/${of(clip)}.mp4`
/** The captions of a reader's clip as WebVTT, beside the clip. Tier 3, because the clip has them as a track. */
export const userClipCaptionsKey = (clip: UserClipId): string => `user-clips/${of(clip)}.vtt`
/** The original recording: tier 3, whatever its extension. An extension that is not a plain word is replaced. */
export const sourceKey = (meeting: MeetingId, extension: string): string =>
  `meetings/${of(meeting)}/source/recording.${/^[a-z0-9]{1,8}$/i.test(extension) ? of(extension) : "bin"}`
/** A former agenda, by the SHA-256 of its file: tier 3. */
export const formerAgendaKey = (meeting: MeetingId, digest: string): string =>
  `meetings/${of(meeting)}/versions/agenda-${digest.slice(0, 16)}.pdf`
/** What the keys of the pieces of an upload begin with; tier 3. */
export const uploadKeys = (meeting: MeetingId, upload: string): string =>
  `meetings/${of(meeting)}/uploads/${of(upload)}/`

/** The path at which an object is served. */
export const mediaPath = (key: string): string => `/api/media/${key}`

/**
 * The path of a clip's captions, which the signature of the clip opens: they are made when asked for, from the words as
 * the record has them then, and are no object.
 */
export const captionsPath = (clipKey: string): string => `${captionsPrefix}${clipKey.replace(/mp4$/, "vtt")}`
export const captionsPrefix = "/captions/" as const

/** A lowercase RFC 9562 id, as `schema/primitives.ts` accepts it. */
const uuid = "([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})"

const shape = (key: string) => new RegExp(`^${key.replaceAll(".", "\\.").replaceAll("ID", uuid)}$`)

const poster = shape("meetings/ID/poster.jpg")

const signed: ReadonlyArray<readonly [shape: RegExp, read: (first: string, second: string) => SignedObject]> = [
  [
    shape("meetings/ID/clips/ID.mp4"),
    (meeting, clip) => ({ kind: "clip", ids: { meeting: MeetingId.make(meeting), clip: ClipId.make(clip) } })
  ],
  [shape("meetings/ID/web/720p.mp4"), (meeting) => ({ kind: "rendition", ids: { meeting: MeetingId.make(meeting) } })],
  [shape("meetings/ID/agenda.pdf"), (meeting) => ({ kind: "agenda", ids: { meeting: MeetingId.make(meeting) } })],
  [
    shape("meetings/ID/figures/ID.png"),
    (meeting, figure) => ({
      kind: "figure",
      ids: { meeting: MeetingId.make(meeting), figure: FigureId.make(figure) }
    })
  ],
  [shape("user-clips/ID.mp4"), (clip) => ({ kind: "user_clip", ids: { userClip: UserClipId.make(clip) } })]
]

/**
 * The tier of the path after `/api/media/`, without the query, exactly as sent. It is not decoded: a key has one
 * spelling, and any other (encoded, dotted, doubled, in another case) is tier 3.
 */
export const mediaTier = (rawPath: string): MediaTier => {
  const meeting = poster.exec(rawPath)?.[1]
  if (meeting !== undefined) return { tier: 1, key: rawPath, meetingId: MeetingId.make(meeting) }
  for (const [shape, read] of signed) {
    const [, first, second = ""] = shape.exec(rawPath) ?? []
    if (first !== undefined) return { tier: 2, key: rawPath, ...read(first, second) }
  }
  return { tier: 3 }
}

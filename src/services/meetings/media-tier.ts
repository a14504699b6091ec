import { ClipId, FigureId, MeetingId, UserClipId } from "../../../schema/primitives.ts"

/** An object that is reached through a signature (contract section 7), and whose it is. */
type SignedObject =
  | { readonly kind: "clip"; readonly ids: { readonly meeting: MeetingId; readonly clip: ClipId } }
  | { readonly kind: "rendition"; readonly ids: { readonly meeting: MeetingId } }
  | { readonly kind: "agenda"; readonly ids: { readonly meeting: MeetingId } }
  | { readonly kind: "figure"; readonly ids: { readonly meeting: MeetingId; readonly figure: FigureId } }
  | { readonly kind: "user_clip"; readonly ids: { readonly userClip: UserClipId } }

/**
 * What it takes to reach an object (spec 4.5): 1 nothing, 2 a live signature, 3 nothing will do. Decided by the key's
 * shape alone, before anyone looks whether there is such an object.
 */
export type MediaTier =
  | { readonly tier: 1; readonly key: string; readonly meetingId: MeetingId }
  | ({ readonly tier: 2; readonly key: string } & SignedObject)
  | { readonly tier: 3 }

/** An id may come in capitals (an imported one does at times); in a key it has one spelling. */
const of = (id: string): string => id.toLowerCase()

/** Where each kind of object is kept; the only place where keys are spelled. */
export const posterKey = (meeting: MeetingId): string => `meetings/${of(meeting)}/poster.jpg`
export const clipKey = (meeting: MeetingId, clip: ClipId): string => `meetings/${of(meeting)}/clips/${of(clip)}.mp4`
export const renditionKey = (meeting: MeetingId): string => `meetings/${of(meeting)}/web/720p.mp4`
export const agendaKey = (meeting: MeetingId): string => `meetings/${of(meeting)}/agenda.pdf`
export const figureKey = (meeting: MeetingId, figure: FigureId): string =>
  `meetings/${of(meeting)}/figures/${of(figure)}.png`
export const userClipKey = (clip: UserClipId): string => `user-clips/${of(clip)}.mp4`
/** The words of a reader's clip as WebVTT, beside it: tier 3, for they are in the clip as a track. */
export const userClipCaptionsKey = (clip: UserClipId): string => `user-clips/${of(clip)}.vtt`
/** The recording as it came: tier 3, whatever its name. An extension that is no plain word is not kept. */
export const sourceKey = (meeting: MeetingId, extension: string): string =>
  `meetings/${of(meeting)}/source/recording.${/^[a-z0-9]{1,8}$/i.test(extension) ? of(extension) : "bin"}`

/** Where the object at a key is served, on this origin. */
export const mediaPath = (key: string): string => `/api/media/${key}`

/** An RFC 9562 id as `schema/primitives.ts` takes it, in lower case. */
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
 * The tier of what stands after `/api/media/`, as the client sent it and not decoded, without the query: a key has one
 * spelling, and every other one (encoded, dotted, doubled, in other letters) is tier 3.
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

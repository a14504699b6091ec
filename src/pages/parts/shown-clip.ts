import { Effect } from "effect"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { anonymous } from "../../../schema/viewer.ts"
import { type El, el, type Kid } from "../../page-tree/tree.ts"
import { type ClipSaid, ClipWords } from "../../services/clips/clip-words.ts"
import { UserClips } from "../../services/clips/user-clips.ts"
import { MeetingMedia } from "../../services/meetings/meeting-media.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { clampAtWord } from "../../text/clamp.ts"
import { longestName } from "../../text/meeting-name.ts"
import { clock, plainDate } from "../said.ts"
import { onThisOrigin } from "./origin.ts"
import { clipPath, meetingIn } from "./paths.ts"

/** A clip to watch, on its page or in a frame: a reader's or a published one, at addresses signed for this visit. */
export interface ShownClip {
  /** The path of its page. */
  readonly path: string
  readonly title: string
  readonly start: number
  readonly end: number
  readonly url: string
  readonly captions_url?: string
  readonly meeting: MeetingCard
  readonly said: ClipSaid | undefined
}

/** The words with which a clip begins that neither its maker nor the record gave a title. */
const firstWords = (said: ClipSaid | undefined): string | undefined => {
  const text = said?.turns[0]?.text
  return text === undefined ? undefined : `“${clampAtWord(text, 60)}”`
}

/** A clip's name among others of its meeting. */
export const clipTitleOf = ({
  title,
  start,
  end
}: {
  readonly title?: string
  readonly start: number
  readonly end: number
}) => (title === undefined ? `${clock(start)} to ${clock(end)}` : clampAtWord(title, longestName))

/** A clip's name for those who know nothing of it: with whose meeting it is from, and when that was. */
export const nameAbroad = ({ title, meeting: { body, date } }: Pick<ShownClip, "title" | "meeting">): string =>
  `${title} (${body.name}, ${plainDate(date)})`

/** The clip with this slug, which whoever has it may watch. */
export const sharedClip = Effect.fn("ClipPage.shared")(function* (slug: string) {
  const clip = yield* (yield* UserClips).shared(slug)
  const meeting = yield* (yield* Meetings).open(clip.meeting_id, anonymous)
  const said = yield* (yield* ClipWords).said(meeting.id, clip)
  const named = clip.title ?? firstWords(said)
  const title = clipTitleOf({ start: clip.start, end: clip.end, ...(named === undefined ? {} : { title: named }) })
  return { ...clip, path: `/clips/${slug}`, title, meeting, said } satisfies ShownClip
})

/** A published clip by the last segments of its address; undefined if the meeting has no such clip. */
export const publishedClip = Effect.fn("ClipPage.published")(function* (meetingSegment: string, id: string) {
  const meeting = yield* (yield* Meetings).open(meetingIn(meetingSegment), anonymous)
  const { clips } = yield* (yield* MeetingMedia).clips(meeting.id)
  const clip = clips.find((one) => one.id === id)
  if (clip === undefined) return undefined
  const said = yield* (yield* ClipWords).said(meeting.id, clip)
  return { ...clip, path: clipPath(meeting.path, clip.id), meeting, said } satisfies ShownClip
})

/** The player of a clip, with its captions. */
export const clipPlayer = (clip: ShownClip, preload: "none" | "metadata"): El => {
  const { title, url, captions_url, said, meeting } = clip
  return el(
    "video",
    {
      src: onThisOrigin(url),
      poster: meeting.poster_url === undefined ? undefined : onThisOrigin(meeting.poster_url),
      controls: true,
      preload,
      playsinline: true,
      controlslist: "nodownload",
      "aria-label": title
    },
    captions_url !== undefined &&
      el("track", {
        kind: "captions",
        src: onThisOrigin(captions_url),
        srclang: said?.language ?? "en",
        label: "Captions"
      })
  )
}

/** The spoken words of a clip, speaker by speaker. */
export const spokenWords = ({ turns }: ClipSaid): Kid =>
  turns.map(({ speaker, text }) => el("p", {}, speaker !== undefined && [el("strong", {}, speaker), " "], text))

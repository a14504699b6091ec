import { Effect } from "effect"
import type { MeetingCard } from "../../schema/meeting.ts"
import type { SharedClip } from "../../schema/user-clip.ts"
import { anonymous } from "../../schema/viewer.ts"
import { el, heading, type Kid, prose, web } from "../page-tree/tree.ts"
import type { Turn } from "../services/clips/clip-captions.ts"
import { MeetingMedia } from "../services/meetings/meeting-media.ts"
import { Meetings } from "../services/meetings/meetings.ts"
import { sessionOf } from "../text/meeting-name.ts"
import { embedHeight, embedPath, embedWidth, spokenWords } from "./embed.ts"
import type { Head, Load, Page } from "./page.ts"
import { clipName } from "./parts/clip-name.ts"
import { onThisOrigin } from "./parts/origin.ts"
import { clipPath, meetingIn } from "./parts/paths.ts"
import { clock, length, plainDate } from "./said.ts"

/** A clip to watch, at an address signed for this visit. */
interface ClipView {
  readonly title: string
  readonly start: number
  readonly end: number
  readonly url: string
  readonly meeting: Pick<MeetingCard, "body" | "title" | "date" | "path" | "poster_url">
  /** How it was made, in a sentence. */
  readonly origin: string
  /** The operation that mints a signed address for a program. */
  readonly json: string
  /** Its spoken words, if the page shows them. */
  readonly turns?: ReadonlyArray<Turn>
  /** How other sites can embed it. */
  readonly player?: NonNullable<Head["player"]>
}

const where = ({ start, end, meeting }: ClipView): Kid =>
  el(
    "p",
    {},
    el("a", { href: meeting.body.path }, meeting.body.name),
    `, ${sessionOf(meeting)}, ${plainDate(meeting.date)}: ${clock(start)} to ${clock(end)} of the recording.`
  )

/** A clip, and a link to its meeting. Never cached, because its address is signed. */
const clipPage = (view: ClipView): Page => {
  const { title, start, end, url, meeting, origin, json, turns = [], player } = view
  const at = `${meeting.path}?t=${Math.floor(start)}`
  return {
    head: {
      title,
      description: `${length(end - start)} of ${meeting.body.name}, ${sessionOf(meeting)}, ${plainDate(meeting.date)}.`,
      ...(meeting.poster_url === undefined ? {} : { image: onThisOrigin(meeting.poster_url) }),
      ...(player === undefined ? {} : { player }),
      discreet: true
    },
    main: el(
      "div",
      { class: "wide top clip" },
      heading(title),
      web(
        el("video", {
          src: onThisOrigin(url),
          poster: meeting.poster_url === undefined ? undefined : onThisOrigin(meeting.poster_url),
          controls: true,
          preload: "metadata",
          playsinline: true,
          controlslist: "nodownload",
          "aria-label": title
        })
      ),
      prose(
        el(
          "p",
          {},
          "The recording is not part of this text. ",
          el("code", {}, `GET ${json}`),
          " signs an address to watch it at."
        )
      ),
      where(view),
      turns.length > 0 && el("section", { class: "prose" }, heading("What is said"), spokenWords(turns)),
      el("p", { class: "act" }, el("a", { href: at }, `The meeting, from ${clock(start)}`)),
      el("p", { class: "note" }, origin)
    )
  }
}

/** A reader's clip at its share link, with its words. */
export const sharedClipPage = (
  slug: string,
  clip: SharedClip,
  meeting: MeetingCard,
  turns: ReadonlyArray<Turn>
): Page =>
  clipPage({
    title: clipName(clip, meeting),
    turns,
    player: { path: `/clips/${slug}`, frame: embedPath(slug), width: embedWidth, height: embedHeight },
    start: clip.start,
    end: clip.end,
    url: clip.url,
    meeting,
    origin: "A reader of Civic Record cut this clip from the public recording of the meeting.",
    json: `/api/user-clips/shared/${slug}`
  })

/** Identical for an unknown clip, an unrendered one and a deleted one (spec section 7, rule 5). */
export const noClipPage: Page = {
  status: 404,
  head: { title: "Clip not found", description: "No clip is at this address.", discreet: true },
  main: el(
    "div",
    { class: "wide top" },
    el("p", { class: "place-line" }, "Error 404"),
    heading("Clip not found"),
    el(
      "p",
      { class: "lede" },
      "No clip is at this address. It may have been deleted, or not be rendered yet: ask whoever sent you the link."
    ),
    el("p", {}, el("a", { href: "/browse" }, "See all meetings"))
  )
}

/** `/in/{place}/{body}/{date}-{id}/clips/{clip}`: a published clip, open to all. */
export const loadClip: Load<MeetingMedia | Meetings> = Effect.fn("ClipPage.load")(function* ({ params }) {
  const meeting = yield* (yield* Meetings).open(meetingIn(params.meeting), anonymous)
  const { clips } = yield* (yield* MeetingMedia).clips(meeting.id)
  const clip = clips.find(({ id }) => id === params.clip)
  if (clip === undefined) return noClipPage
  const path = clipPath(meeting.path, clip.id)
  if (path !== `/in/${params.place}/${params.body}/${params.meeting}/clips/${params.clip}`) return { movedTo: path }
  return clipPage({
    ...clip,
    meeting,
    origin: "Cut from the public recording of the meeting, and published with it.",
    json: `/api/meetings/${meeting.id}/clips`
  })
})

import { Effect } from "effect"
import { Environment } from "../../layers/config/config.ts"
import { type El, el, heading, type Kid, prose, web } from "../page-tree/tree.ts"
import type { ClipWords } from "../services/clips/clip-words.ts"
import type { MeetingMedia } from "../services/meetings/meeting-media.ts"
import type { Meetings } from "../services/meetings/meetings.ts"
import { sessionOf } from "../text/meeting-name.ts"
import { embedCode, embedHeight, embedPath, embedWidth } from "./embed.ts"
import type { Load, Page } from "./page.ts"
import { onThisOrigin } from "./parts/origin.ts"
import { clipPlayer, nameAbroad, publishedClip, type ShownClip, spokenWords } from "./parts/shown-clip.ts"
import { clock, length, plainDate } from "./said.ts"

interface ClipView {
  readonly clip: ShownClip
  /** `BASE_URL`, for addresses that are copied from the page. */
  readonly base: string
  /** How it was made, in a sentence. */
  readonly origin: string
  /** The operation that mints a signed address for a program. */
  readonly json: string
  /** The operation that counts a share, if this viewer's counts. */
  readonly counts?: string
}

const where = ({ start, end, meeting }: ShownClip): Kid =>
  el(
    "p",
    {},
    el("a", { href: meeting.body.path }, meeting.body.name),
    `, ${sessionOf(meeting)}, ${plainDate(meeting.date)}: ${clock(start)} to ${clock(end)} of the recording.`
  )

/** A text to copy: selected by hand, or with a script by its button. */
const toCopy = (id: string, label: string, text: string, counts?: string, ...more: ReadonlyArray<Kid>): El =>
  el(
    "div",
    { class: "to-copy" },
    web(
      el("label", { for: id }, label),
      el(
        "div",
        { class: "row" },
        el("input", { id, type: "text", value: text, readonly: true, spellcheck: "false" }),
        el(
          "button",
          { type: "button", "data-copy-of": id, "data-counts": counts, hidden: true },
          `Copy ${label.toLowerCase()}`
        ),
        more
      )
    ),
    prose(el("p", {}, `${label}: `, el("code", {}, text)))
  )

const sharing = ({ clip, base, counts }: ClipView): El =>
  el(
    "section",
    { class: "pass-on", id: "share" },
    heading("Share this clip"),
    toCopy(
      "clip-link",
      "Link",
      base + clip.path,
      counts,
      el(
        "button",
        {
          type: "button",
          "data-send": "clip-link",
          "data-title": nameAbroad(clip),
          "data-counts": counts,
          hidden: true
        },
        "Share"
      )
    ),
    toCopy("clip-embed", "Embed code", embedCode(clip, base)),
    el("p", { class: "note" }, "The frame is as wide as the page it stands in, and has captions and the words.")
  )

/** A clip, its words and ways to pass it on. Never cached, because its address is signed. */
const clipPage = (view: ClipView): Page => {
  const { clip, origin, json } = view
  const { title, start, end, meeting, said } = clip
  return {
    head: {
      title: nameAbroad(clip),
      description: `${length(end - start)} of ${meeting.body.name}, ${sessionOf(meeting)}, ${plainDate(meeting.date)}.`,
      ...(meeting.poster_url === undefined ? {} : { image: onThisOrigin(meeting.poster_url) }),
      player: { path: clip.path, frame: embedPath(clip), width: embedWidth, height: embedHeight },
      script: "copying",
      discreet: true
    },
    main: el(
      "div",
      { class: "wide top clip" },
      heading(title),
      web(clipPlayer(clip, "metadata")),
      prose(
        el(
          "p",
          {},
          "The recording is not part of this text. ",
          el("code", {}, `GET ${json}`),
          " signs an address to watch it at."
        )
      ),
      where(clip),
      el(
        "p",
        { class: "act" },
        el("a", { href: `${meeting.path}?t=${Math.floor(start)}` }, `The meeting, from ${clock(start)}`)
      ),
      said !== undefined &&
        said.turns.length > 0 &&
        el("section", { class: "prose" }, heading("What is said"), spokenWords(said)),
      sharing(view),
      el("p", { class: "note" }, origin)
    )
  }
}

/** A reader's clip at its share link, with its words. A signed-in viewer's shares are counted. */
export const sharedClipPage = (clip: ShownClip & { readonly slug: string }, base: string, signedIn: boolean): Page =>
  clipPage({
    clip,
    base,
    origin: "A reader of Civic Record cut this clip from the public recording of the meeting.",
    json: `/api/user-clips/shared/${clip.slug}`,
    ...(signedIn ? { counts: `/api/user-clips/shared/${clip.slug}/share` } : {})
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
export const loadClip: Load<ClipWords | Environment | MeetingMedia | Meetings> = Effect.fn("ClipPage.load")(function* ({
  params
}) {
  const clip = yield* publishedClip(params.meeting ?? "", params.clip ?? "")
  if (clip === undefined) return noClipPage
  if (clip.path !== `/in/${params.place}/${params.body}/${params.meeting}/clips/${params.clip}`) {
    return { movedTo: clip.path }
  }
  return clipPage({
    clip,
    base: (yield* Environment).baseUrl,
    origin: "Cut from the public recording of the meeting, and published with it.",
    json: `/api/meetings/${clip.meeting.id}/clips`
  })
})

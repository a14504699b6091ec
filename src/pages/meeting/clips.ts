import type { UserClip } from "../../../schema/user-clip.ts"
import { type El, el, heading, type Kid, prose, web } from "../../page-tree/tree.ts"
import { onThisOrigin } from "../parts/origin.ts"
import { clipPath } from "../parts/paths.ts"
import { clipTitleOf } from "../parts/shown-clip.ts"
import { clock, length } from "../said.ts"
import { part } from "./part.ts"
import { isRecord, type MeetingView } from "./view.ts"

interface Listed {
  readonly start: number
  readonly duration: number
}

const row = ({ start, duration }: Listed, ...kids: ReadonlyArray<Kid>): El =>
  el(
    "li",
    {},
    web(el("span", { class: "num" }, clock(start))),
    el("span", {}, kids),
    " ",
    el("span", { class: "num" }, prose(clock(start), ", "), length(duration))
  )

/** A clip that a script plays in place, at an address signed on demand; without scripts, it opens its own page. */
const playing = (href: string, name: string, clip: string, signedBy: string | undefined): El =>
  el("a", { href, "data-clip": clip, "data-clips": signedBy }, name)

/** Which clip a short link is about, for those who hear it by itself. */
const of = (name: string): Kid => web(el("span", { class: "unseen" }, ` ${name}`))

const own = (clip: UserClip): El => {
  const { start, duration, state, share_url, download_url } = clip
  const name = clipTitleOf(clip)
  return row(
    { start, duration },
    state === "ready"
      ? [
          el("a", { href: onThisOrigin(share_url) }, name),
          " ",
          el("a", { class: "save", href: `${onThisOrigin(share_url)}#share` }, "Share or embed", of(name)),
          download_url !== undefined && [
            " ",
            el("a", { class: "save", href: onThisOrigin(download_url) }, "Download", of(name))
          ]
        ]
      : [name, " ", el("em", {}, state === "rendering" ? "Being made" : "Could not be made")]
  )
}

/** The clips of a meeting: published ones, readers' clips, and the reader's own. */
export const clips = (view: MeetingView): Kid => {
  const { meeting, communityClips } = view
  const ownClips = isRecord(view) && meeting.has.video ? view.ownClips : undefined
  const { links } = meeting
  return (
    (meeting.clips.length > 0 || communityClips.length > 0 || ownClips !== undefined) &&
    part(
      "clips",
      "Clips",
      meeting.clips.length > 0 && [
        el("p", { class: "note" }, "Open to all."),
        el(
          "ul",
          { class: "clips" },
          meeting.clips.map((clip) =>
            row(clip, playing(clipPath(meeting.path, clip.id), clip.title, clip.id, links.clips))
          )
        )
      ],
      communityClips.length > 0 &&
        el(
          "section",
          {},
          heading("Made by readers"),
          el(
            "ul",
            { class: "clips" },
            communityClips.map((clip) =>
              row(clip, playing(`/clips/${clip.slug}`, clipTitleOf(clip), clip.slug, links.community_clips))
            )
          )
        ),
      ownClips !== undefined &&
        el(
          "section",
          { "data-own-clips": true, "data-list": links.user_clips, "data-events": links.events },
          heading("Your clips"),
          el("p", { class: "note", "data-none": true, hidden: ownClips.length > 0 }, "None yet."),
          el("ul", { class: "clips" }, ownClips.map(own)),
          prose(
            "To cut one, ",
            el("code", {}, "POST /api/user-clips"),
            " with meeting_id, start and end. A clip lasts at most 300 seconds."
          )
        )
    )
  )
}

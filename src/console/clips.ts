import { Effect } from "effect"
import { Environment } from "../../layers/config/config.ts"
import type { Signer } from "../../layers/signer/signer.ts"
import { el, heading } from "../page-tree/tree.ts"
import { clock, length } from "../pages/said.ts"
import {
  type ClipNotFound,
  CuratedClips,
  clipPage,
  type ListedClip,
  waitsFor
} from "../services/clips/curated-clips.ts"
import { mediaPath, posterKey } from "../services/meetings/media-tier.ts"
import { signedAddress } from "../services/meetings/meeting-media.ts"
import type { ConsoleAct, ConsoleLoad } from "./page.ts"
import { button, field, filters, pageOf, paging, state, table } from "./parts.ts"

const states = ["proposal", "published", "dismissed"] as const

/** What is seen and heard in a clip, from the recording of its meeting: a proposal itself is never signed. */
const pictureOf = Effect.fnUntraced(function* (clip: ListedClip) {
  if (clip.recording === null) return "The meeting has no recording."
  const { baseUrl } = yield* Environment
  const { url } = yield* (yield* signedAddress)(clip.recording)
  return el("video", {
    src: `${url}#t=${Math.floor(clip.start)},${Math.ceil(clip.end)}`,
    poster: clip.has_poster ? `${baseUrl}${mediaPath(posterKey(clip.meeting_id))}` : undefined,
    controls: true,
    preload: clip.has_poster ? "none" : "metadata",
    playsinline: true,
    width: 320,
    height: 180,
    "aria-label": clip.title
  })
})

/** `/clips`: highlight clips by state; proposals by default. */
export const loadClips: ConsoleLoad<never, CuratedClips | Signer | Environment> = Effect.fn("Console.clips")(
  function* ({ query }) {
    const wanted = states.find((one) => one === query.get("state")) ?? "proposal"
    const page = pageOf(query)
    const { total, clips } = yield* (yield* CuratedClips).list(wanted, page)
    const pictures = yield* Effect.forEach(clips, pictureOf)
    return {
      title: "Clips",
      section: "/clips",
      main: [
        heading("Clips"),
        filters(
          "/clips",
          field({ name: "state", label: "State", value: wanted, options: states.map((one) => [one, one] as const) })
        ),
        paging({ path: "/clips", query, page, size: clipPage, total }, "clip"),
        table(
          "Clips",
          ["Clip", "Picture", "Words", "Span", "Meeting", "Media", "Decide"],
          clips.map((clip, at) => [
            [clip.title, " ", state(clip.state)],
            pictures[at],
            el("p", { class: "context" }, clip.words === "" ? "no transcript" : clip.words),
            `${clock(clip.start)}, ${length(clip.end - clip.start)}`,
            el("a", { href: `/meetings/${clip.meeting_id}` }, `${clip.body}, ${clip.date}`),
            clip.rendered ? "rendered" : "not rendered",
            el(
              "div",
              { class: "actions" },
              clip.state !== "published" &&
                button({ to: `/clips/${clip.id}/publish`, label: "Publish", about: clip.title }),
              clip.state !== "dismissed" &&
                button({ to: `/clips/${clip.id}/dismiss`, label: "Dismiss", about: clip.title, quiet: true })
            )
          ]),
          "No clip is in this state."
        )
      ]
    }
  }
)

/** Publishes a clip, or dismisses it. */
export const decideClip = (decision: "publish" | "dismiss"): ConsoleAct<ClipNotFound, CuratedClips> =>
  Effect.fn("Console.decideClip")(function* ({ params }) {
    const id = params.id ?? ""
    const clips = yield* CuratedClips
    const decided = yield* clips[decision](id)
    const { title, was } = decided
    const now = decision === "publish" ? "published" : "dismissed"
    return {
      to: `/clips?state=${was}`,
      said: `“${title}” is ${now}.${waitsFor(decided)}`
    }
  })

import { Effect } from "effect"
import type { MeetingCard } from "../../../schema/meeting.ts"
import type { UserClip } from "../../../schema/user-clip.ts"
import { el, heading, type Kid, web } from "../../page-tree/tree.ts"
import { UserClips } from "../../services/clips/user-clips.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { sessionOf } from "../../text/meeting-name.ts"
import { onThisOrigin } from "../parts/origin.ts"
import { clipTitleOf } from "../parts/shown-clip.ts"
import { clock, length, plainDate, plural } from "../said.ts"
import { act, byApi } from "./form.ts"
import { type LoadTask, taskPage } from "./task.ts"

const states = {
  rendering: "Being made. It will be ready in a moment.",
  ready: "Ready.",
  failed: "Could not be made. Delete it, then cut it again."
} as const satisfies Record<UserClip["state"], string>

/** The meeting a clip was cut from, at the second where the clip begins. */
const origin = ({ meeting_id, start }: UserClip, meetings: ReadonlyArray<MeetingCard>): Kid => {
  const meeting = meetings.find(({ id }) => id === meeting_id)
  return meeting === undefined
    ? "a meeting that is no longer on record"
    : el(
        "a",
        { href: `${meeting.path}?t=${Math.floor(start)}` },
        `${meeting.body.name}, ${sessionOf(meeting)}, ${plainDate(meeting.date)}`
      )
}

const item = (clip: UserClip, meetings: ReadonlyArray<MeetingCard>): Kid => {
  const { id, slug, start, end, duration, state } = clip
  const span = `${clock(start)} to ${clock(end)}`
  const title = clipTitleOf(clip)
  return el(
    "li",
    { id: `clip-${id}`, class: "clip-item", "data-state": state },
    el(
      "article",
      {},
      heading(state === "ready" ? el("a", { href: `/clips/${slug}` }, title) : title),
      el(
        "p",
        {},
        `${length(duration)} of `,
        origin(clip, meetings),
        `, ${span}. Cut on ${plainDate(clip.created_at.slice(0, 10))}. `,
        el("span", { class: "state" }, states[state])
      ),
      state === "ready" && [
        el(
          "p",
          {},
          "Share link: ",
          el("code", { id: `link-${id}` }, clip.share_url),
          " ",
          web(
            el(
              "button",
              {
                type: "button",
                "data-copy-of": `link-${id}`,
                "data-counts": `/api/user-clips/shared/${slug}/share`,
                "aria-label": `Copy the link of ${title}`,
                hidden: true
              },
              "Copy"
            ),
            " "
          ),
          el(
            "a",
            { href: `/clips/${slug}#share` },
            "Share or embed",
            web(el("span", { class: "unseen" }, ` ${title}`))
          ),
          ` · ${plural(clip.shares, "share")}, ${plural(clip.visits, "visit")}`
        ),
        clip.download_url !== undefined &&
          el(
            "p",
            {},
            el(
              "a",
              { href: onThisOrigin(clip.download_url), download: true },
              "Download",
              web(el("span", { class: "unseen" }, ` ${title}`)),
              " (mp4)"
            )
          )
      ],
      web(
        el(
          "details",
          {},
          el("summary", {}, "Delete", el("span", { class: "unseen" }, ` ${title}`)),
          el("p", {}, "The clip goes for good, and its share link stops working."),
          act(`/account/clips/${id}/remove`, "Delete this clip", {}, title)
        )
      )
    )
  )
}

/** `/account/clips`; with scripts, a clip that is being rendered becomes ready without a reload. */
export const loadClips: LoadTask<Meetings | UserClips> = Effect.fn("AccountPage.clips")(function* (visit) {
  const { clips } = yield* (yield* UserClips).list(visit.reader, undefined)
  const meetings = yield* (yield* Meetings).cards(clips.map(({ meeting_id }) => meeting_id))
  return taskPage(
    visit,
    {
      path: "/account/clips",
      title: "Your clips",
      description: "The clips that you cut from meetings.",
      script: clips.some(({ state }) => state === "rendering") ? "clips" : "copying"
    },
    el("p", {}, "Whoever has the link of a clip can watch it. Only you can download or delete it here."),
    web(el("p", { id: "clips-news", class: "unseen", role: "status" })),
    clips.length === 0
      ? el("p", {}, "You have cut no clip yet. The page of a meeting has the words for it: select some.")
      : el(
          "section",
          { "aria-label": "Clips" },
          el(
            "ul",
            { class: "clips-list" },
            clips.map((clip) => item(clip, meetings))
          )
        ),
    byApi("To delete one", "DELETE /api/user-clips/{id}")
  )
})

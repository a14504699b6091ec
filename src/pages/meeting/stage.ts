import { longestUserClip, mostUserClips } from "../../../schema/user-clip.ts"
import { type El, el, type Kid, prose, web } from "../../page-tree/tree.ts"
import { moment } from "../parts/card.ts"
import { onThisOrigin } from "../parts/origin.ts"
import { clock } from "../said.ts"
import { headlineOf } from "./title.ts"
import { clipMaker, keyList, shareSheet } from "./tools.ts"
import { meant } from "./turns.ts"
import type { RecordView } from "./view.ts"

const player = (view: RecordView): Kid => {
  const { video, transcript, meeting, at } = view
  if (video === undefined) return false
  // Browsers start at the second after "#t=" (Media Fragments, section 4.2.1), without any script.
  const begin = at === undefined ? "" : `#t=${meant(at, transcript?.segments ?? [])}`
  return el(
    "div",
    { class: "player" },
    el(
      "video",
      {
        src: onThisOrigin(video.url) + begin,
        poster: video.poster_url === undefined ? undefined : onThisOrigin(video.poster_url),
        controls: true,
        preload: "metadata",
        playsinline: true,
        width: video.width,
        height: video.height,
        controlslist: "nodownload",
        "aria-label": `Recording: ${headlineOf(view)}`
      },
      meeting.links.transcript !== undefined &&
        el("track", {
          kind: "captions",
          src: `${meeting.links.transcript}?format=vtt`,
          srclang: transcript?.language ?? "en",
          label: "Captions"
        })
    )
  )
}

const chapters = ({ meeting }: RecordView): Kid =>
  meeting.chapters.length > 0 &&
  el(
    "ol",
    { class: "chapters", "aria-label": "Chapters" },
    meeting.chapters.map(({ title, start }) =>
      el(
        "li",
        { "data-from": start },
        moment(`?t=${Math.floor(start)}`, start, `Hear it at ${clock(start)}`),
        " ",
        el("span", {}, title)
      )
    )
  )

const act = (name: string, opens: string | undefined, ...kids: ReadonlyArray<Kid>): El =>
  el(
    "button",
    {
      type: "button",
      "data-act": name,
      ...(opens === undefined ? {} : { "aria-expanded": false, "aria-controls": opens })
    },
    kids
  )

/** The recording with its chapters, and the tools for readers. */
export const stage = (view: RecordView): Kid => {
  const { meeting, video, transcript, ownClips } = view
  const hasMoments = video !== undefined || transcript !== undefined || meeting.chapters.length > 0
  const isReader = ownClips !== undefined
  const canClip = isReader && video !== undefined
  return [
    prose(
      video !== undefined &&
        el(
          "p",
          {},
          "The recording is not part of this text. ",
          el("code", {}, `GET ${meeting.links.video}`),
          " signs an address to watch it at."
        ),
      meeting.chapters.length > 0 && el("p", {}, "Chapters:"),
      chapters(view)
    ),
    web(
      el(
        "div",
        {
          class: "stage",
          id: "stage",
          "data-meeting": meeting.id,
          "data-duration": video?.duration,
          "data-longest": longestUserClip,
          "data-most": mostUserClips
        },
        player(view),
        el(
          "div",
          { class: "acts", role: "group", "aria-label": "Tools", "data-acts": true, hidden: true },
          act(
            "link",
            undefined,
            "Copy link",
            hasMoments && [" at ", el("span", { "data-clock": true }, clock(view.at ?? 0))]
          ),
          canClip && act("clip", "clip-maker", "Make a clip"),
          isReader && act("share", "share-sheet", "Share"),
          hasMoments && act("keys", "key-list", "Keys")
        ),
        el("p", { class: "say", role: "status", "data-say": true }),
        isReader ? shareSheet(view) : shared(view),
        keyList(video !== undefined),
        canClip && clipMaker,
        chapters(view)
      )
    )
  ]
}

const shared = ({ meeting: { path } }: RecordView): El =>
  el(
    "p",
    { class: "note" },
    "You are reading through a shared link. With a free account you read every meeting, and make clips: ",
    el("a", { href: `/signin?return_to=${encodeURIComponent(path)}` }, "sign in"),
    "."
  )

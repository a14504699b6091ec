import { longestUserClip, mostUserClips } from "../../../schema/user-clip.ts"
import { type El, el, type Kid, prose, web } from "../../page-tree/tree.ts"
import { clampAtWord } from "../../text/clamp.ts"
import { type SourcePlayer, sourcePlayer } from "../../text/source-player.ts"
import { moment } from "../parts/card.ts"
import { onThisOrigin } from "../parts/origin.ts"
import { clock } from "../said.ts"
import { hear } from "./part.ts"
import { signInHere } from "./returning.ts"
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
    ),
    el("button", { type: "button", "data-act": "small", "aria-pressed": false, hidden: true }, "Small player")
  )
}

/** The source's own player, where the recording is not here. */
export const sourceOf = ({ video, meeting }: RecordView): SourcePlayer | undefined =>
  video === undefined ? sourcePlayer(meeting.source_url) : undefined

/** Nothing stands beside the words. */
export const isAlone = (view: RecordView): boolean => {
  const { video, meeting } = view
  const { chapters, agenda_items } = meeting
  return video === undefined && chapters.length === 0 && agenda_items.length === 0 && sourceOf(view) === undefined
}

/** Where to watch it instead. The frame of the source's player is asked for only by the reader's own click. */
const elsewhere = (view: RecordView): Kid => {
  const source = sourceOf(view)
  const { at, meeting, transcript } = view
  if (source === undefined) return false
  const begin = at === undefined ? 0 : meant(at, transcript?.segments ?? [])
  const named = `Recording at ${source.provider}`
  return el(
    "div",
    { class: "source-player", "data-embed": source.embed },
    el(
      "button",
      { type: "button", "data-title": `${named}: ${headlineOf(view)}`, hidden: true },
      `Play it here, from ${source.provider}`
    ),
    el(
      "p",
      { class: "note" },
      "The recording is not held here. ",
      el("a", { href: source.watch(begin), rel: "external" }, `Watch it at ${source.provider}`),
      `. Nothing is loaded from there before you ask for it.${meeting.chapters.length + (transcript?.segments.length ?? 0) > 0 ? " Times on this page then play there." : ""}`
    )
  )
}

/** The agenda in brief, beside the words: the moment of each item, where it has one. */
const itemsBeside = ({ meeting, video }: RecordView): Kid =>
  video === undefined &&
  meeting.chapters.length === 0 &&
  meeting.agenda_items.length > 0 &&
  el(
    "ol",
    { class: "chapters items", "aria-label": "Agenda in brief" },
    meeting.agenda_items.map(({ number, title, start }) =>
      el(
        "li",
        start === undefined ? {} : { "data-from": start },
        start === undefined ? el("span", { class: "num" }, (number ?? "").length > 6 ? "" : number) : hear(start),
        " ",
        el("span", {}, clampAtWord(title, 120))
      )
    )
  )

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
        elsewhere(view),
        el(
          "div",
          { class: "acts", role: "group", "aria-label": "Tools", "data-acts": true, hidden: true },
          act(
            "link",
            undefined,
            "Copy link",
            hasMoments &&
              (video !== undefined || view.at !== undefined) && [
                " at ",
                el("span", { "data-clock": true }, clock(view.at ?? 0))
              ]
          ),
          canClip && act("clip", "clip-maker", "Make a clip"),
          isReader && act("share", "share-sheet", "Share"),
          hasMoments && act("keys", "key-list", "Keys")
        ),
        el("p", { class: "say", role: "status", "data-say": true }),
        isReader ? shareSheet(view) : shared(view),
        keyList(video !== undefined),
        canClip && clipMaker,
        chapters(view),
        itemsBeside(view)
      )
    )
  ]
}

const shared = (view: RecordView): El =>
  el(
    "p",
    { class: "note" },
    "You are reading through a shared link. With a free account you read every meeting, and make clips: ",
    el("a", { href: signInHere(view) }, "sign in"),
    "."
  )

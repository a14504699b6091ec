import type { MeetingCard } from "../../schema/meeting.ts"
import type { SharedClip } from "../../schema/user-clip.ts"
import { htmlOf } from "../page-tree/html.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import type { Turn } from "../services/clips/clip-captions.ts"
import type { Assets } from "./assets.ts"
import { clipName } from "./parts/clip-name.ts"
import { onThisOrigin } from "./parts/origin.ts"
import { length, plainDate } from "./said.ts"

/** The path of a shared clip's frame. */
export const embedPath = (slug: string): string => `/embed/clips/${slug}`

/** The default size of the frame in pixels: a 16:9 picture and two lines below it. */
export const embedWidth = 640
export const embedHeight = 456

/** The spoken words of a clip, speaker by speaker. */
export const spokenWords = (turns: ReadonlyArray<Turn>): Kid =>
  turns.map(({ speaker, text }) => el("p", {}, speaker !== undefined && [el("strong", {}, speaker), " "], text))

const documentOf = (title: string, assets: Assets["Service"], main: Kid): string => `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${htmlOf(title)} · Civic Record</title>
<link rel="stylesheet" href="${assets.href("record.css")}">
</head>
<body class="embed">
${htmlOf(el("main", {}, main))}
</body>
</html>
`

/**
 * A shared clip in a frame on another site: the player, its words behind a button, and one link, which opens the clip's
 * page. `link` is that page's absolute address.
 */
export const embedDocument = (
  clip: SharedClip,
  {
    meeting,
    turns,
    link
  }: { readonly meeting: MeetingCard; readonly turns: ReadonlyArray<Turn>; readonly link: string },
  assets: Assets["Service"]
): string => {
  const title = clipName(clip, meeting)
  const { poster_url, body, date } = meeting
  return documentOf(title, assets, [
    el("video", {
      src: onThisOrigin(clip.url),
      poster: poster_url === undefined ? undefined : onThisOrigin(poster_url),
      controls: true,
      preload: "none",
      playsinline: true,
      controlslist: "nodownload",
      "aria-label": title
    }),
    heading(el("a", { href: link, target: "_blank", rel: "noopener" }, title)),
    el("p", { class: "note" }, `${body.name}, ${plainDate(date)}, ${length(clip.duration)}. Civic Record.`),
    turns.length > 0 && el("details", {}, el("summary", {}, "Read what is said"), spokenWords(turns))
  ])
}

/** Identical for an unknown clip, an unrendered one and a deleted one (spec section 7, rule 5). */
export const noEmbedDocument = (base: string, assets: Assets["Service"]): string =>
  documentOf("Clip not found", assets, [
    heading("Clip not found"),
    el("p", {}, el("a", { href: `${base}/browse`, target: "_blank", rel: "noopener" }, "See all meetings"))
  ])

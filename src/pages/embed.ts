import { htmlOf } from "../page-tree/html.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import type { Assets } from "./assets.ts"
import { clipPlayer, nameAbroad, type ShownClip, spokenWords } from "./parts/shown-clip.ts"
import { length, plainDate } from "./said.ts"

/** The path of a clip's frame. */
export const embedPath = ({ path }: Pick<ShownClip, "path">): string => `/embed${path}`

/** The default size of the frame in pixels: a 16:9 picture and three lines below it. */
export const embedWidth = 640
export const embedHeight = 456

/** What another site puts in its page: a frame as wide as there is room, up to `width`, in the proportions given. */
export const embedCode = (clip: ShownClip, base: string, width = embedWidth, height = embedHeight): string => {
  const attributes = {
    src: base + embedPath(clip),
    title: nameAbroad(clip),
    width,
    height,
    style: `width:100%;max-width:${width}px;height:auto;aspect-ratio:${width}/${height};border:0`,
    allow: "fullscreen",
    loading: "lazy"
  }
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${htmlOf(String(value))}"`)
  return `<iframe ${written.join(" ")}></iframe>`
}

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
 * A clip in a frame on another site: the player with captions, its words behind a button, and one link, which opens the
 * clip's page. `base` is the address of the service.
 */
export const embedDocument = (clip: ShownClip, base: string, assets: Assets["Service"]): string => {
  const { title, start, end, said, path, meeting } = clip
  return documentOf(nameAbroad(clip), assets, [
    clipPlayer(clip, "none"),
    heading(el("a", { href: base + path, target: "_blank", rel: "noopener" }, title)),
    el(
      "p",
      { class: "note" },
      `${meeting.body.name}, ${plainDate(meeting.date)}, ${length(end - start)}. Civic Record.`
    ),
    said !== undefined &&
      said.turns.length > 0 &&
      el("details", {}, el("summary", {}, "Read what is said"), spokenWords(said))
  ])
}

/** Identical for an unknown clip, an unrendered one and a deleted one (spec section 7, rule 5). */
export const noEmbedDocument = (base: string, assets: Assets["Service"]): string =>
  documentOf("Clip not found", assets, [
    heading("Clip not found"),
    el("p", {}, el("a", { href: `${base}/browse`, target: "_blank", rel: "noopener" }, "See all meetings"))
  ])

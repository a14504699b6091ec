import escapeHtml from "escape-html"
import { htmlOf } from "../page-tree/html.ts"
import { markdownOf } from "../page-tree/markdown.ts"
import { type El, el, type Kid } from "../page-tree/tree.ts"
import { type Assets, preloadedFonts } from "./assets.ts"
import type { Head, Page, Watched } from "./page.ts"
import { breadcrumbData } from "./parts/linked-data.ts"
import { breadcrumb, colophon, masthead, skipLink } from "./shell.ts"

/** The surroundings of a page. */
export interface Showing {
  /** `BASE_URL`, without a trailing slash. */
  readonly base: string
  readonly assets: Assets["Service"]
  readonly signedIn: boolean
}

/** Links to a page's other forms, by its path; none for an error or an unlisted page. */
export const alternatesOf = ({ path, discreet, feed, jsonFeed, calendar, json }: Head) =>
  path === undefined || discreet
    ? []
    : [
        { rel: "canonical", href: path },
        { rel: "alternate", type: "text/markdown", href: `/md${path}` },
        ...(json === undefined ? [] : [{ rel: "alternate", type: "application/json", href: json }]),
        ...(feed === undefined ? [] : [{ rel: "alternate", type: "application/atom+xml", ...feed }]),
        ...(jsonFeed === undefined ? [] : [{ rel: "alternate", type: "application/feed+json", ...jsonFeed }]),
        ...(calendar === undefined ? [] : [{ rel: "alternate", type: "text/calendar", ...calendar }])
      ]

const tag = (name: string, attributes: Readonly<Record<string, string | undefined>>): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => (value === undefined ? "" : ` ${key}="${escapeHtml(value)}"`))
    .join("")}>\n`

const property = (name: string, content: string | undefined): string =>
  content === undefined ? "" : tag("meta", { property: name, content })

/**
 * How other sites can embed the page: as a frame, and by oEmbed. The recording itself has no address here, because a
 * signed one would expire before it is shown.
 */
const playerOf = ({ path, frame, width, height }: NonNullable<Head["player"]>, title: string, base: string): string =>
  [
    property("og:video", base + frame),
    property("og:video:type", "text/html"),
    property("og:video:width", String(width)),
    property("og:video:height", String(height)),
    tag("meta", { name: "twitter:card", content: "player" }),
    tag("meta", { name: "twitter:player", content: base + frame }),
    tag("meta", { name: "twitter:player:width", content: String(width) }),
    tag("meta", { name: "twitter:player:height", content: String(height) }),
    ...[
      ["json", "application/json+oembed"],
      ["xml", "text/xml+oembed"]
    ].map(([format, type]) =>
      tag("link", {
        rel: "alternate",
        type,
        title,
        href: `${base}/oembed?${new URLSearchParams({ url: base + path, format: format ?? "" })}`
      })
    )
  ].join("")

/** Data in a page, escaped so that nothing in it can end the element. */
const jsonLd = (data: object): string =>
  `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>\n`

const headOf = (head: Head, { base, assets }: Showing): string => {
  const scripts = [head.script, head.watched === undefined ? undefined : ("page-news" as const)]
    .filter((name) => name !== undefined)
    .map((name) => `client/${name}.js`)
  return [
    tag("meta", { charset: "utf-8" }),
    tag("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    `<title>${escapeHtml(head.title)} · Civic Record</title>\n`,
    tag("meta", { name: "description", content: head.description }),
    head.discreet ? tag("meta", { name: "robots", content: "noindex" }) : "",
    ...alternatesOf(head).map(({ href, ...link }) => tag("link", { ...link, href: base + href })),
    ...preloadedFonts.map((font) =>
      tag("link", { rel: "preload", as: "font", type: "font/woff2", crossorigin: "", href: assets.href(font) })
    ),
    tag("link", { rel: "stylesheet", href: assets.href("record.css") }),
    tag("link", { rel: "icon", type: "image/svg+xml", href: assets.href("icon.svg") }),
    ...scripts.map((name) => `<script type="module" src="${escapeHtml(assets.href(name))}"></script>\n`),
    tag("meta", { name: "color-scheme", content: "light dark" }),
    tag("meta", { name: "theme-color", media: "(prefers-color-scheme: light)", content: "#fbfaf6" }),
    tag("meta", { name: "theme-color", media: "(prefers-color-scheme: dark)", content: "#111513" }),
    property("og:site_name", "Civic Record"),
    property("og:title", head.title),
    property("og:description", head.description),
    property("og:type", head.player === undefined ? "website" : "video.other"),
    property(
      "og:url",
      head.player === undefined && head.path === undefined ? undefined : base + (head.player?.path ?? head.path)
    ),
    head.player === undefined ? "" : playerOf(head.player, head.title, base),
    property("og:image", head.image === undefined ? undefined : base + head.image),
    head.data === undefined ? "" : jsonLd(head.data(base)),
    head.crumbs === undefined ? "" : jsonLd(breadcrumbData(head.crumbs, base))
  ].join("")
}

/** Empty until a script has something to say, and there before, so that screen readers hear of it. */
const newsRegion = ({ href, seen, has }: Watched): El =>
  el("div", {
    class: "page-news",
    "aria-live": "polite",
    "data-news": href,
    "data-seen": seen,
    "data-has": has?.join(" ")
  })

/** A page as an HTML document. It has no inline script and no inline style: the policy allows neither. */
export const documentOf = ({ head, main }: Page, showing: Showing): string => {
  const body = [
    skipLink,
    masthead(head, showing.signedIn),
    breadcrumb(head),
    el("main", { id: "main", tabindex: -1 }, main, head.watched !== undefined && newsRegion(head.watched)),
    colophon(head)
  ]
  return `<!doctype html>
<html lang="en-US">
<head>
${headOf(head, showing)}</head>
<body>
${htmlOf(body)}
</body>
</html>
`
}

/** A line of YAML. Every JSON string is a YAML string. */
const line = (name: string, value: string | undefined): string =>
  value === undefined ? "" : `${name}: ${JSON.stringify(value)}\n`

const trail = ({ crumbs = [] }: Head): Kid =>
  crumbs.length > 0 &&
  el(
    "p",
    {},
    crumbs.map(({ name, path }, index) => [index > 0 && " › ", el("a", { href: path }, name)])
  )

const end = [
  el("hr", {}),
  el(
    "p",
    {},
    "Civic Record, the public record of local government. ",
    el("a", { href: "/llms.txt" }, "All pages"),
    " · ",
    el("a", { href: "/openapi.json" }, "API"),
    " · ",
    el("a", { href: "/md/browse" }, "Search")
  )
]

/** A page as Markdown with front matter, for agents and for people who prefer plain text. */
export const proseOf = ({ head, main }: Page, base: string): string => {
  const url = head.path === undefined ? undefined : base + head.path
  const front = [
    line("title", head.title),
    line("url", url),
    line("description", head.description),
    line("access", head.access),
    line("updated", head.updated),
    line("source", head.source)
  ].join("")
  return `---\n${front}---\n\n${markdownOf([trail(head), main, end], url ?? `${base}/`)}`
}

import escapeHtml from "escape-html"
import { htmlOf } from "../page-tree/html.ts"
import { el, type Kid } from "../page-tree/tree.ts"
import { type Assets, preloadedFonts } from "../pages/assets.ts"
import { type ConsolePage, sections } from "./page.ts"

/** The result of the last action, shown once. */
export interface Notice {
  readonly said: string
  readonly secret?: string | undefined
}

/** The surroundings of a console page. */
export interface ConsoleShowing {
  readonly assets: Assets["Service"]
  /** The address of the public site, without a trailing slash. */
  readonly publicUrl: string
  /** The media store's origin, if it sends recordings itself. */
  readonly store: string | undefined
  /** The signed-in operator; undefined on loopback, and before signing in. */
  readonly signedIn: string | undefined
  readonly notice: Notice | undefined
}

const masthead = ({ section }: ConsolePage, { publicUrl, signedIn }: ConsoleShowing): Kid =>
  el(
    "header",
    { class: "masthead console" },
    el(
      "div",
      { class: "wide" },
      el("a", { class: "wordmark", href: "/" }, el("span", {}, "Civic Record"), el("small", {}, "Console")),
      el(
        "nav",
        { "aria-label": "Main" },
        el(
          "ul",
          {},
          sections.map(([path, name]) =>
            el("li", {}, el("a", { href: path, "aria-current": path === section ? "page" : undefined }, name))
          )
        )
      ),
      el("a", { class: "account", href: publicUrl }, "Public site"),
      signedIn !== undefined &&
        el(
          "form",
          { method: "post", action: "/signout", class: "inline" },
          el("button", { type: "submit", class: "plain" }, `Sign out ${signedIn}`)
        )
    )
  )

const noticeOf = ({ notice }: ConsoleShowing): Kid =>
  notice !== undefined &&
  el(
    "div",
    { class: "told", role: "status" },
    el("p", {}, notice.said),
    notice.secret !== undefined && el("p", {}, el("code", { class: "secret" }, notice.secret))
  )

const head = ({ title, script }: ConsolePage, { assets }: ConsoleShowing): string =>
  [
    `<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeHtml(title)} · Console · Civic Record</title>`,
    `<meta name="robots" content="noindex">`,
    `<meta name="color-scheme" content="light dark">`,
    ...preloadedFonts.map(
      (font) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${escapeHtml(assets.href(font))}">`
    ),
    `<link rel="stylesheet" href="${escapeHtml(assets.href("record.css"))}">`,
    `<link rel="stylesheet" href="${escapeHtml(assets.href("console.css"))}">`,
    `<link rel="icon" type="image/svg+xml" href="${escapeHtml(assets.href("icon.svg"))}">`,
    script === undefined
      ? ""
      : `<script type="module" src="${escapeHtml(assets.href(`client/${script}.js`))}"></script>`
  ].join("\n")

/** A page of the console as an HTML document, without inline script or style. */
export const consoleDocument = (page: ConsolePage, showing: ConsoleShowing): string => `<!doctype html>
<html lang="en-US">
<head>
${head(page, showing)}
</head>
<body>
${htmlOf([
  el("a", { class: "skip", href: "#main" }, "Skip to the page"),
  masthead(page, showing),
  el(
    "main",
    { id: "main", tabindex: -1, class: "console" },
    el("div", { class: "wide" }, noticeOf(showing), page.main)
  ),
  el("footer", { class: "colophon" }, el("div", { class: "wide" }, el("p", { class: "motto" }, "All times are UTC.")))
])}
</body>
</html>
`

import { type El, el, type Kid, web } from "../page-tree/tree.ts"
import type { Head, Section } from "./page.ts"

const sections: ReadonlyArray<{ readonly section: Section; readonly name: string; readonly path: string }> = [
  { section: "browse", name: "Meetings", path: "/browse" },
  { section: "upcoming", name: "Coming up", path: "/upcoming" },
  { section: "places", name: "Places", path: "/places" },
  { section: "developers", name: "Developers", path: "/developers" }
]

/** A ruler of time, the site's motif: lists hang on days, and meetings on seconds. */
const mark = el(
  "svg",
  { class: "mark", viewBox: "0 0 24 24", width: 28, height: 28, "aria-hidden": true, focusable: "false" },
  el("path", { d: "M5 2v20", stroke: "currentColor", "stroke-width": 2.5 }),
  el("path", { d: "M5 3h14M5 8h6M5 13h14M5 18h6", stroke: "currentColor", "stroke-width": 1.75 })
)

const find = el(
  "form",
  { class: "find", role: "search", action: "/browse", method: "get" },
  el("label", { class: "unseen", for: "find" }, "Search all meetings"),
  el("input", { id: "find", type: "search", name: "q", placeholder: "Search all meetings" }),
  el("button", { type: "submit" }, "Search")
)

/** Signing in returns to this page, unless nobody would return to it. */
const signIn = ({ path, discreet }: Head): string =>
  path === undefined || discreet ? "/signin" : `/signin?return_to=${encodeURIComponent(path)}`

export const masthead = (head: Head, signedIn: boolean): El =>
  el(
    "header",
    { class: "masthead" },
    el(
      "div",
      { class: "wide" },
      el("a", { class: "wordmark", href: "/" }, mark, el("span", {}, "Civic Record")),
      el(
        "nav",
        { "aria-label": "Main" },
        el(
          "ul",
          {},
          sections.map(({ section, name, path }) =>
            el("li", {}, el("a", { href: path, "aria-current": section === head.current ? "page" : undefined }, name))
          )
        )
      ),
      head.searches !== true && find,
      signedIn
        ? el("a", { class: "account", href: "/account" }, "Account")
        : el("a", { class: "account", href: signIn(head) }, "Sign in")
    )
  )

/** The breadcrumb, down to the page itself. */
export const breadcrumb = ({ crumbs = [] }: Head): Kid =>
  crumbs.length > 0 &&
  el(
    "nav",
    { class: "crumbs", "aria-label": "Breadcrumb" },
    el(
      "ol",
      {},
      crumbs.map(({ name, path }, index) =>
        el("li", {}, el("a", { href: path, "aria-current": index === crumbs.length - 1 ? "page" : undefined }, name))
      )
    )
  )

export const skipLink = web(el("a", { class: "skip", href: "#main" }, "Skip to the page"))

export const colophon = ({ path }: Head): El =>
  el(
    "footer",
    { class: "colophon" },
    el(
      "div",
      { class: "wide" },
      el(
        "p",
        { class: "motto" },
        "Civic Record is the public record of local government.",
        el("br", {}),
        "It is not a government site. Each meeting links to its source."
      ),
      el(
        "ul",
        {},
        el("li", {}, el("a", { href: "/about" }, "About")),
        el("li", {}, el("a", { href: "/developers" }, "Developers")),
        el("li", {}, el("a", { href: "/openapi.json" }, "API")),
        el("li", {}, el("a", { href: "/llms.txt" }, "llms.txt")),
        path !== undefined && el("li", {}, el("a", { href: `/md${path}` }, "This page as Markdown"))
      )
    )
  )

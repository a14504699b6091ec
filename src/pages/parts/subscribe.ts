import { el, type Kid } from "../../page-tree/tree.ts"

/** The ways to be told what comes: a calendar and a feed, each at the address of the page that it belongs to. */
export const subscribe = (path: string): Kid =>
  el(
    "ul",
    { class: "ways", inline: true, "aria-label": "Subscribe" },
    el("li", {}, el("a", { href: `${path}.ics` }, "Calendar")),
    el("li", {}, el("a", { href: `${path}.atom` }, "Feed"))
  )

import { el, type Kid } from "../../page-tree/tree.ts"

/** Links to a calendar and a feed, each beside the address of its page. */
export const subscribe = (path: string): Kid =>
  el(
    "ul",
    { class: "ways", inline: true, "aria-label": "Subscribe" },
    el("li", {}, el("a", { href: `${path}.ics` }, "Calendar")),
    el("li", {}, el("a", { href: `${path}.atom` }, "Feed"))
  )

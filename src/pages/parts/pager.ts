import { el, type Kid } from "../../page-tree/tree.ts"

interface Pager {
  readonly page: number
  readonly pages: number
  readonly path: (page: number) => string
}

/** Links to the previous and the next page; from past the end, to the last. */
export const pager = ({ page, pages, path }: Pager): Kid =>
  (page > 1 || page < pages) &&
  el(
    "nav",
    { class: "pages", "aria-label": "Pages of this list" },
    el(
      "ul",
      { inline: true },
      page > 1 &&
        el("li", {}, el("a", { href: path(Math.max(1, Math.min(page - 1, pages))), rel: "prev" }, "Previous page")),
      page < pages && el("li", {}, el("a", { href: path(page + 1), rel: "next" }, "Next page"))
    )
  )

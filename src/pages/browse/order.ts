import type { BrowseQuery } from "../../../schema/browse-query.ts"
import { el, type Kid } from "../../page-tree/tree.ts"
import { browsePath } from "./filters.ts"

type Order = NonNullable<BrowseQuery["sort"]>

/** The name of each order in a link, and in a sentence. */
const names: Readonly<Record<Order, { readonly link: string; readonly said: string }>> = {
  relevance: { link: "Best match", said: "best match first" },
  newest: { link: "Newest", said: "newest first" },
  oldest: { link: "Oldest", said: "oldest first" },
  updated: { link: "Last changed", said: "last changed first" }
}

/** The available orders; relevance needs a search. */
const ordersOf = ({ q }: BrowseQuery): ReadonlyArray<Order> =>
  q === undefined ? ["newest", "oldest", "updated"] : ["relevance", "newest", "oldest", "updated"]

/** The current order of a list. */
export const orderOf = (query: BrowseQuery): Order => {
  const orders = ordersOf(query)
  return orders.find((order) => order === query.sort) ?? orders[0] ?? "newest"
}

export const orderInWords = (query: BrowseQuery): string => names[orderOf(query)].said

/** Links to the same list in its other orders. The default order needs no parameter. */
export const orderLinks = (query: BrowseQuery): Kid =>
  el(
    "ul",
    { class: "ways", inline: true, "aria-label": "Order" },
    ordersOf(query).map((order, index) =>
      el(
        "li",
        {},
        el(
          "a",
          {
            href: browsePath(query, { sort: index === 0 ? undefined : order }),
            "aria-current": order === orderOf(query) ? "true" : undefined
          },
          names[order].link
        )
      )
    )
  )

import type { BrowsePage } from "../../../schema/browse.ts"
import type { LocationResults } from "../../../schema/geo.ts"
import { el, type Kid } from "../../page-tree/tree.ts"
import { fold } from "../../text/fold.ts"
import { plural } from "../said.ts"

/** Places and bodies. */
export type Named = LocationResults["results"]

export const namedList = (named: Named): Kid =>
  el(
    "ul",
    { class: "dotted" },
    named.map(({ name, path, detail, meetings_held }) =>
      el(
        "li",
        {},
        el("a", { href: path }, name),
        " ",
        el("span", { class: "num" }, `${detail} · ${plural(meetings_held, "meeting")}`)
      )
    )
  )

/** The most similar names that contain every word of the query, or that an address or a ZIP code led to. */
export const reallyNamed = (results: Named, words: ReadonlyArray<string>): Named =>
  results
    .filter(({ name, match }) => match !== "name" || words.every((word) => fold(name).includes(fold(word))))
    .slice(0, 3)

/** Without the matches in titles and names: where the query is a name, it stands above the list, once. */
export const withoutNames = (found: BrowsePage): BrowsePage => ({
  ...found,
  meetings: found.meetings.map((card) => ({
    ...card,
    matches: (card.matches ?? []).filter(({ field }) => field !== "title" && field !== "body")
  }))
})

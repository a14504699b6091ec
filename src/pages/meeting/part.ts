import type { Span } from "../../../schema/briefing.ts"
import { type El, el, heading, type Kid } from "../../page-tree/tree.ts"
import { moment } from "../parts/card.ts"
import { clock } from "../said.ts"

/** A part of a meeting's page under a heading of its own, to which `#id` leads. */
export const part = (id: string, title: string, ...kids: ReadonlyArray<Kid>): El =>
  el(
    "section",
    { id, class: "part", "aria-labelledby": `${id}-h` },
    heading(el("span", { id: `${id}-h` }, title)),
    kids
  )

/** A second of this recording, as a link that has a name of its own. */
export const hear = (start: number): El => moment(`?t=${Math.floor(start)}`, start, `Hear it at ${clock(start)}`)

/** The moments that a sentence rests on, each after a space. */
export const cited = (citations: ReadonlyArray<Pick<Span, "start">>): Kid =>
  citations.map(({ start }) => [" ", hear(start)])

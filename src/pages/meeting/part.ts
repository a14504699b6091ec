import type { Span } from "../../../schema/briefing.ts"
import { type El, el, heading, type Kid } from "../../page-tree/tree.ts"
import { moment } from "../parts/card.ts"
import { clock } from "../said.ts"

/** A part of a meeting's page under its own heading, which `#id` links to. */
export const part = (id: string, title: string, ...kids: ReadonlyArray<Kid>): El =>
  el(
    "section",
    { id, class: "part", "aria-labelledby": `${id}-h` },
    heading(el("span", { id: `${id}-h` }, title)),
    kids
  )

/** A second of this recording, as a link with its own accessible name. */
export const hear = (start: number): El => moment(`?t=${Math.floor(start)}`, start, `Hear it at ${clock(start)}`)

/** The moments that support a sentence, each after a space. */
export const cited = (citations: ReadonlyArray<Pick<Span, "start">>): Kid =>
  citations.map(({ start }) => [" ", hear(start)])

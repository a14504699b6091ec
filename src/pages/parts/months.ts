import type { MeetingCard } from "../../../schema/meeting.ts"
import { month } from "../said.ts"
import { type El, el, heading, type Kid } from "../tree/tree.ts"

/** Meetings in the order they come in, under the month of each. */
export const byMonth = (meetings: ReadonlyArray<MeetingCard>, entry: (card: MeetingCard) => El): Kid =>
  [...Map.groupBy(meetings, ({ date }) => date.slice(0, 7))].map(([key, held]) =>
    el("section", {}, heading(month(`${key}-01`)), el("ol", { class: "entries" }, held.map(entry)))
  )

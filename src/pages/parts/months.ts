import type { MeetingCard } from "../../../schema/meeting.ts"
import { el, heading, type Kid } from "../../page-tree/tree.ts"
import { month } from "../said.ts"
import { type Held, heldCard } from "./card.ts"

/** Held meetings in their given order, grouped by month. */
export const byMonth = (meetings: ReadonlyArray<MeetingCard>, how: Held = {}): Kid =>
  [...Map.groupBy(meetings, ({ date }) => date.slice(0, 7))].map(([key, held]) =>
    el(
      "section",
      {},
      heading(month(`${key}-01`)),
      el(
        "ol",
        { class: "entries" },
        held.map((card) => heldCard(card, { ...how, underMonth: true }))
      )
    )
  )

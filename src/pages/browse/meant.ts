import type { BrowsePage } from "../../../schema/browse.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { el, heading, type Kid } from "../../page-tree/tree.ts"
import { type Held, heldCard } from "../parts/card.ts"

export const entries = (meetings: ReadonlyArray<MeetingCard>, how: Held): Kid =>
  el(
    "ol",
    { class: "entries" },
    meetings.map((card) => heldCard(card, how))
  )

/** Meetings that are about the same in other words, after those that have the words. */
export const byMeaning = ({ by_meaning: meant = [] }: BrowsePage, newSince: string | undefined): Kid =>
  meant.length > 0 &&
  el(
    "section",
    {},
    heading("Found by meaning"),
    el("p", { class: "note" }, "These have other words, and may be about the same."),
    entries(meant, { newSince })
  )

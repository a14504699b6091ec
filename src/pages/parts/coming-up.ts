import type { MeetingCard } from "../../../schema/meeting.ts"
import { el, type Kid } from "../../page-tree/tree.ts"
import { type Coming, comingCard } from "./card.ts"
import { listed } from "./listed.ts"

/** The next meetings of the record, a place or a body; `more` links to the rest. */
export const comingUp = (coming: ReadonlyArray<MeetingCard>, named: Coming = {}, ...more: ReadonlyArray<Kid>): Kid =>
  listed(
    { id: "next", title: "Coming up" },
    coming.length === 0
      ? el("p", { class: "note" }, "No meeting is announced for the next 30 days.")
      : el(
          "ol",
          { class: "entries" },
          coming.map((card) => comingCard(card, named))
        ),
    more
  )

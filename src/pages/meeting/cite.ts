import type { MeetingCard } from "../../../schema/meeting.ts"
import { type El, el, type Kid, prose, web } from "../../page-tree/tree.ts"
import { meetingName, sessionOf } from "../../text/meeting-name.ts"
import { withQuery } from "../query.ts"
import { plainDate } from "../said.ts"
import { part } from "./part.ts"
import type { MeetingView } from "./view.ts"

/** A citation to copy: the body as its author, the kind of meeting, the day it met, and its permanent address. */
export const cite = ({ base, meeting }: MeetingView): El => {
  const { body, date, path } = meeting
  return part(
    "cite",
    "How to cite",
    el(
      "p",
      { class: "citation", "data-citation": true },
      `${body.name}. “${sessionOf(meeting)}.” ${plainDate(date)}. Civic Record. `,
      web(base + path),
      prose(el("code", {}, base + path))
    ),
    web(el("p", {}, el("button", { type: "button", "data-act": "cite", hidden: true }, "Copy the citation"))),
    el("p", { class: "note" }, "To cite a moment, add ?t= and its second to the address.")
  )
}

/**
 * Leads to the form for a mistake, with the second that the page opened at. A script adds the one that plays and the
 * words that are selected (`src/client/mistake.ts`).
 */
export const reportMistake = ({ meeting: { path }, at }: MeetingView): El =>
  el(
    "p",
    { class: "note" },
    "Something wrong? ",
    el(
      "a",
      {
        href: withQuery(`${path}/report`, { t: at === undefined ? undefined : Math.floor(at) }),
        rel: "nofollow",
        "data-mistake": true
      },
      "Report a mistake"
    ),
    "."
  )

const neighbor = (label: string, rel: "prev" | "next", card: MeetingCard | undefined): Kid =>
  card !== undefined &&
  el(
    "li",
    {},
    el("span", { class: "which" }, label, ": "),
    el("a", { href: card.path, rel }, meetingName(card)),
    ", ",
    el("time", { datetime: card.date }, plainDate(card.date))
  )

/** The meetings of the body before and after this one. */
export const beside = ({ neighbors: { previous, next }, meeting }: MeetingView): Kid =>
  (previous !== undefined || next !== undefined) &&
  el(
    "nav",
    { class: "beside", "aria-label": `Other meetings of ${meeting.body.name}` },
    el("ul", {}, neighbor("Previous meeting", "prev", previous), neighbor("Next meeting", "next", next))
  )

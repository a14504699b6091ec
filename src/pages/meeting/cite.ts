import type { MeetingCard } from "../../../schema/meeting.ts"
import { type El, el, type Kid, prose, web } from "../../page-tree/tree.ts"
import { type Citation, citationsOf } from "../../text/citation.ts"
import { meetingName } from "../../text/meeting-name.ts"
import { withQuery } from "../query.ts"
import { clock, plainDate } from "../said.ts"
import { part } from "./part.ts"
import { isRecord, type MeetingView } from "./view.ts"

const cited = ({ style, text }: Citation, url: string): Kid => {
  const [before = "", after = ""] = text.split(url)
  const id = `cite-${style.toLowerCase()}`
  return el(
    "div",
    {},
    el("dt", {}, style),
    el(
      "dd",
      {},
      el("span", { class: "citation", id }, before, web(url), prose(el("code", {}, url)), after),
      web(
        " ",
        el(
          "button",
          { type: "button", "data-copy-of": id, "aria-label": `Copy the ${style} citation`, hidden: true },
          "Copy"
        )
      )
    )
  )
}

/** Citations to copy, of the whole meeting or of the moment at which its page was opened. */
export const cite = (view: MeetingView): El => {
  const { base, meeting, at } = view
  const url = base + meeting.path + (at === undefined ? "" : `?t=${Math.floor(at)}`)
  const citations = citationsOf(meeting, url, at === undefined ? undefined : { clock: clock(at) })
  return part(
    "cite",
    "How to cite",
    el(
      "dl",
      { class: "citations" },
      citations.map((one) => cited(one, url))
    ),
    el(
      "p",
      { class: "note" },
      "To cite a moment, add ?t= and its second to the address",
      isRecord(view) && view.transcript !== undefined && web(", or select its words in the transcript"),
      "."
    )
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

import type { AgendaItem, AgendaItemCard } from "../../../schema/meeting.ts"
import { type El, el, type Kid, prose, web } from "../../page-tree/tree.ts"
import { documentShown } from "../parts/documents.ts"
import { onThisOrigin } from "../parts/origin.ts"
import { matterLink } from "../parts/votes.ts"
import { clock, number } from "../said.ts"
import { hear, part } from "./part.ts"
import { isRecord, type MeetingView } from "./view.ts"

/** Numbers up to this length stand in the margin; file numbers, such as `Int 0410-2018`, above the title. */
const longestInMargin = 6

/** An item's own number. Prose lists number their items, so a number equal to `counted` is left to the list. */
const numbered = (number: string | undefined, counted?: number): Kid =>
  number !== undefined && [
    web(el("span", { class: number.length > longestInMargin ? "file" : "number" }, number)),
    number.replace(/\.$/, "") !== String(counted) && prose(`${number} `)
  ]

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** The agenda with its summaries and, for readers, the outcome of each item. */
export const agenda = (view: MeetingView): Kid => {
  const { meeting, agendaSummary } = view
  const isReadable = isRecord(view)
  const copy = isReadable ? view.agendaCopy : undefined
  const summaryOf = ({ title, number }: AgendaItemCard): string | undefined =>
    agendaSummary?.items.find((item) => item.title === title && (item.number ?? number) === number)?.summary
  /** The summary, unless it only repeats the title. */
  const inWords = (item: AgendaItemCard): string | undefined => {
    const summary = summaryOf(item)
    return summary === undefined || lettersOf(summary) === lettersOf(item.title) ? undefined : summary
  }

  const item = (one: AgendaItem, index: number): El => {
    const { matter, packet = [] } = one
    const papers = meeting.documents.filter(({ agenda_item }) => agenda_item === one.id)
    return el(
      "li",
      {},
      el(
        "p",
        {},
        matter !== undefined && matter.identifier === one.number
          ? [matterLink(matter), " "]
          : numbered(one.number, index + 1),
        el("strong", {}, one.title),
        matter !== undefined && matter.identifier !== one.number && [" ", matterLink(matter)],
        // A moment is a link only if it opens something.
        one.start !== undefined &&
          (isReadable ? [" ", hear(one.start)] : [" ", el("span", { class: "num" }, clock(one.start))])
      ),
      inWords(one) !== undefined && el("p", { class: "in-words" }, inWords(one)),
      one.description !== undefined && el("p", { class: "note" }, one.description),
      packet.length > 0 &&
        el(
          "p",
          { class: "note" },
          packet.map(({ title, page, path }, at) => [
            at > 0 && ", ",
            el("a", { href: path }, `${title}, page ${number(page)}`)
          ])
        ),
      papers.length > 0 && el("ul", { class: "documents" }, papers.map(documentShown)),
      one.outcome !== undefined && el("p", { class: "came" }, "Outcome: ", el("strong", {}, one.outcome))
    )
  }
  const others = (agendaSummary?.items ?? []).filter(
    (told) => !meeting.agenda_items.some((one) => summaryOf(one) === told.summary)
  )
  return (
    (meeting.agenda_items.length > 0 || others.length > 0 || copy !== undefined) &&
    part(
      "agenda",
      "Agenda",
      copy !== undefined &&
        el(
          "p",
          { class: "note" },
          web(el("a", { href: onThisOrigin(copy.url) }, "The agenda as a PDF")),
          prose("A PDF of the agenda: ", el("code", {}, `GET ${meeting.links.agenda}`), " signs an address for it."),
          web(` (${Math.max(1, Math.round(copy.bytes / 1000))} KB)`)
        ),
      el("ol", { class: "agenda" }, meeting.agenda_items.map(item)),
      others.length > 0 &&
        el(
          "ul",
          { class: "agenda" },
          others.map(({ number, title, summary }) =>
            el(
              "li",
              {},
              el("p", {}, numbered(number), el("strong", {}, title)),
              el("p", { class: "in-words" }, summary)
            )
          )
        )
    )
  )
}

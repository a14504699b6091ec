import { Effect } from "effect"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { el, heading, type Kid, web } from "../../page-tree/tree.ts"
import type { Arrival } from "../../services/directory/directory.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { plainDate, plural } from "../said.ts"
import { heldCard } from "./card.ts"

/** `527 meetings of Seattle City Council, 2019–2024`, or a meeting. */
export const arrival = (one: MeetingCard | Arrival, newSince?: string): Kid => {
  if ("id" in one) return heldCard(one, { newSince })
  const { body, meetings, first, last, day } = one
  const years = [...new Set([first.slice(0, 4), last.slice(0, 4)])].join("–")
  return el(
    "li",
    { class: "entry" },
    el(
      "article",
      {},
      web(el("time", { class: "day", datetime: day }, el("span", { class: "wd" }, "Import"))),
      el(
        "div",
        { class: "what" },
        heading(el("a", { href: body.path }, `${plural(meetings, "meeting")} of ${body.name}, ${years}`)),
        el("p", { class: "has" }, `On record since ${plainDate(day)}`)
      )
    )
  )
}

/** From this many meetings of a body in one day on, an import is one line. */
const manyAtOnce = 12

/** Arrivals as the page lists them, by day of arrival and then the newest meetings first. */
export const arrivalsListed = Effect.fnUntraced(function* (arrivals: ReadonlyArray<Arrival>, most: number) {
  const small = arrivals.filter(({ meetings }) => meetings < manyAtOnce)
  const cards = yield* (yield* Meetings).cards(small.flatMap(({ newest }) => newest))
  const days = new Map(small.flatMap(({ newest, day }) => newest.map((id) => [id, day] as const)))
  const entries = [
    ...arrivals.filter(({ meetings }) => meetings >= manyAtOnce).map((one) => ({ one, day: one.day, date: one.last })),
    ...cards.map((one) => ({ one, day: days.get(one.id) ?? "", date: one.date }))
  ]
  return entries
    .toSorted((a, b) => b.day.localeCompare(a.day) || b.date.localeCompare(a.date))
    .slice(0, most)
    .map(({ one }) => one)
})

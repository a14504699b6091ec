import { Effect } from "effect"
import { el, type Kid } from "../page-tree/tree.ts"
import { clock } from "../pages/said.ts"
import { MistakeReports, type OpenReport } from "../services/accounts/mistake-reports.ts"
import type { NotFound } from "../services/failures.ts"
import { InvalidForm } from "./forms.ts"
import type { ConsoleAct } from "./page.ts"
import { button } from "./parts.ts"

const settled = {
  corrected: "The report is settled: the record was corrected.",
  no_fault: "The report is settled: the record was right."
} as const

const isSettlement = (as: string): as is keyof typeof settled => Object.hasOwn(settled, as)

/** Settles a mistake that a reader reported. */
export const settleMistake: ConsoleAct<NotFound, MistakeReports> = Effect.fn("Console.settleMistake")(function* ({
  params,
  form
}) {
  const as = form.get("as") ?? ""
  if (!isSettlement(as)) return yield* new InvalidForm({ message: "as must be corrected or no_fault." })
  yield* MistakeReports.use((reports) => reports.settle(params.id ?? "", as))
  return { to: "/", said: settled[as] }
})

/** What a reader reported: the words, how they should read, who says so, where to listen, and how it ends. */
export const mistake = ({ id, quote, wording, email, meeting, start, url }: OpenReport): Kid => {
  const to = `/mistakes/${id}/settle`
  return [
    quote !== undefined && el("p", { class: "context" }, `About: “${quote}”`),
    wording !== undefined && el("p", { class: "context" }, `Should read: “${wording}”`),
    el(
      "div",
      { class: "actions" },
      el("a", { href: url, rel: "external" }, start === undefined ? "Open the page" : `Listen at ${clock(start)}`),
      el("a", { href: `/meetings/${meeting.id}` }, "Correct the meeting"),
      el("span", { class: "note" }, `Reported by ${email}`),
      button({ to, label: "Corrected", about: meeting.title, fields: { as: "corrected" } }),
      button({ to, label: "Not a fault", about: meeting.title, fields: { as: "no_fault" }, quiet: true })
    )
  ]
}

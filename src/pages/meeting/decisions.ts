import { el, type Kid, prose } from "../../page-tree/tree.ts"
import { plainSummary } from "../../text/plain-words/decisions.ts"
import { withoutMarkdown } from "../../text/without-markdown.ts"
import { hear, part } from "./part.ts"
import type { RecordView } from "./view.ts"

/** A vote from the record, `3-1 (Ångström no)`: its count as a figure, and the rest beside it. */
const voted = (vote: string): Kid => {
  const count = /^\d[\d-–]*/.exec(vote)?.[0] ?? ""
  const rest = vote.slice(count.length).trim()
  return el(
    "p",
    { class: "vote" },
    prose("Vote "),
    count !== "" && el("strong", {}, count),
    rest !== "" && [" ", el("span", {}, rest)]
  )
}

/** The decisions, with their votes. */
export const decisions = ({ recap, meeting }: Pick<RecordView, "meeting" | "recap">): Kid =>
  recap !== undefined &&
  part(
    "decisions",
    "Decisions",
    // The list says it again.
    recap.summary === plainSummary(meeting.agenda_items, recap.decisions)
      ? el("p", { class: "note" }, "Read by fixed rules from what was said: nobody has written a summary.")
      : el("p", { class: "summary" }, withoutMarkdown(recap.summary)),
    recap.decisions.length > 0 &&
      el(
        "ul",
        { class: "decisions" },
        recap.decisions.map(({ agenda_item, outcome, vote, start }) => {
          const item = meeting.agenda_items.find(({ id }) => id === agenda_item)
          const at = start ?? item?.start
          return el(
            "li",
            vote === undefined ? { class: "unvoted" } : {},
            el(
              "p",
              { class: "outcome" },
              el("strong", {}, withoutMarkdown(outcome)),
              item !== undefined && [prose(". "), el("span", { class: "of" }, item.title)],
              at !== undefined && [" ", hear(at)]
            ),
            vote !== undefined && voted(vote)
          )
        })
      )
  )

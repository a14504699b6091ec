import { Effect } from "effect"
import type { AgentIssue } from "../../schema/agent/issue.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { Costs } from "../services/making/costs.ts"
import { Issues } from "../services/operators/issues.ts"
import { Work } from "../services/queue/work.ts"
import type { ConsoleLoad } from "./page.ts"
import { facts, money, part, state, table, taskTable, when } from "./parts.ts"

/** The console page on which an issue is dealt with. */
const pathOf = ({ subject: { type, id } }: AgentIssue): string => {
  switch (type) {
    case "task":
    case "source":
    case "meeting":
      return `/${type}s/${encodeURIComponent(id)}`
    case "worker":
      return "/workers"
    case "stage":
      return `/tasks?stage=${encodeURIComponent(id)}&state=waiting`
    case "lane":
      return "/settings/lanes"
    case "setting":
      return `/settings/${encodeURIComponent(id.split(".", 1).join(""))}`
    default:
      return "/logs?levels=error"
  }
}

/** The console's remedy for an issue whose own next step is for a program. */
const steps: Readonly<Record<string, string>> = {
  task_failed: "Look at its tries and its log, then retry it.",
  source_failing: "Open its address in a browser; crawl it again once it answers, or pause it.",
  source_body_unmapped: "Map it to a body on record.",
  briefing_pending: "Look at the stage verify, and do it again.",
  lane_stuck: "See what fills the lane; start more workers, or raise its setting.",
  budget_spent: "See what it was spent on under Costs; raise the budget, or wait until midnight UTC."
}

const issueItem = (issue: AgentIssue): Kid =>
  el(
    "li",
    { class: `issue ${issue.severity}` },
    el("p", {}, state(issue.severity), " ", el("strong", {}, issue.message)),
    el("p", { class: "note" }, steps[issue.kind] ?? issue.next_step),
    el("p", {}, el("a", { href: pathOf(issue) }, `Open the ${issue.subject.type}`), " since ", when(issue.since))
  )

/** `/`: what needs an operator, then what is going on. */
export const loadHome: ConsoleLoad<never, Issues | Work | Costs> = Effect.fn("Console.home")(function* () {
  const { total, issues } = yield* (yield* Issues).issues
  const work = yield* Work
  const { running, lanes, flows } = yield* work.live
  const { workers } = yield* work.workers
  const { budget } = yield* (yield* Costs).models
  const alive = workers.filter(({ state }) => state === "running")
  return {
    title: "Overview",
    section: "/",
    main: [
      heading("Overview"),
      part(
        total === 0 ? "Nothing needs you" : `Issues (${total})`,
        issues.length > 0 && el("ol", { class: "issues" }, issues.map(issueItem))
      ),
      part("At work now", taskTable("Tasks at work", running, "No task is running.")),
      part(
        "Lanes",
        table(
          "Lanes",
          ["Lane", "At once", "Running", "Waiting", "Later", "Due since"],
          lanes.map((lane) => [
            el("a", { href: `/tasks?lane=${lane.name}` }, lane.name),
            lane.at_once === 0 ? "paused" : String(lane.at_once),
            String(lane.running),
            String(lane.waiting),
            String(lane.later),
            when(lane.oldest_due_at)
          ]),
          "There are no lanes."
        )
      ),
      part(
        "Today",
        facts([
          ["Workers", el("a", { href: "/workers" }, String(alive.length))],
          ["Open flows", el("a", { href: "/tasks?state=waiting" }, String(flows.open))],
          ["Failed flows", el("a", { href: "/tasks?state=failed" }, String(flows.failed))],
          [
            "Model calls since midnight",
            el(
              "a",
              { href: "/costs" },
              `${money(budget.spent_today_micros)} of ${budget.daily_micros === 0 ? "no limit" : money(budget.daily_micros)}`
            )
          ]
        ])
      )
    ]
  }
})

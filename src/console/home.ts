import { Effect } from "effect"
import { el, heading } from "../page-tree/tree.ts"
import { MistakeReports } from "../services/accounts/mistake-reports.ts"
import { Costs } from "../services/making/costs.ts"
import { Issues } from "../services/operators/issues.ts"
import { Work } from "../services/queue/work.ts"
import { issueList } from "./issues.ts"
import type { ConsoleLoad } from "./page.ts"
import { facts, money, part, table, taskTable, when } from "./parts.ts"

/** `/`: what needs an operator, then what is going on. */
export const loadHome: ConsoleLoad<never, Issues | MistakeReports | Work | Costs> = Effect.fn("Console.home")(
  function* () {
    const { issues } = yield* (yield* Issues).issues
    const { faults, list } = issueList(issues, yield* (yield* MistakeReports).open)
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
        part(faults === 0 ? "Nothing needs you" : `Issues (${faults})`, list),
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
  }
)

import { Effect, Schema } from "effect"
import { AgentCostQuery, costGroups } from "../../schema/agent/money.ts"
import { el, heading } from "../page-tree/tree.ts"
import { pager } from "../pages/parts/pager.ts"
import { queryDecoder } from "../pages/query.ts"
import { number, plural } from "../pages/said.ts"
import { Costs } from "../services/making/costs.ts"
import { Drills } from "../services/operators/drills.ts"
import { MeetingList } from "../services/operators/meeting-list.ts"
import { historyPage, OperatorActions } from "../services/operators/operator-actions.ts"
import { Work } from "../services/queue/work.ts"
import type { ConsoleLoad } from "./page.ts"
import { facts, field, filters, money, pageOf, part, short, state, table, taskTable, when } from "./parts.ts"

/** `/workers`: the processes that run tasks, and what each is doing. */
export const loadWorkers: ConsoleLoad<never, Work> = Effect.fn("Console.workers")(function* () {
  const { workers } = yield* (yield* Work).workers
  const running = workers.filter(({ state }) => state === "running")
  return {
    title: "Workers",
    section: "/workers",
    main: [
      heading("Workers"),
      running.map(({ id, host, pid, build, jobs, stages, started_at, seen_at, tasks }) =>
        part(
          `${host}, process ${pid}`,
          facts([
            ["Build", build],
            ["At the same time", plural(jobs, "task")],
            ["Started", when(started_at)],
            ["Seen", when(seen_at)],
            ["Stages", stages.join(", ")],
            ["Log", el("a", { href: `/logs?worker_id=${id}` }, `Lines of ${short(id)}`)]
          ]),
          taskTable(`Tasks of process ${pid}`, tasks, "It is waiting for tasks.")
        )
      ),
      part(
        "Those that ended",
        table(
          "Workers that ended",
          ["Host", "Process", "State", "Started", "Seen", "Build"],
          workers
            .filter(({ state }) => state !== "running")
            .map((one) => [
              one.host,
              String(one.pid),
              state(one.state),
              when(one.started_at),
              when(one.seen_at),
              one.build
            ]),
          "None has ended in the last month."
        )
      )
    ]
  }
})

const decodeCosts = queryDecoder(Schema.Struct(AgentCostQuery))

/** `/costs`: the cost of model calls in the last 90 days. */
export const loadCosts: ConsoleLoad<never, Costs> = Effect.fn("Console.costs")(function* ({ query }) {
  const { group = "day" } = yield* decodeCosts(query)
  const costs = yield* Costs
  const { groups, total, since } = yield* costs.costs(group)
  const { models, budget } = yield* costs.models
  return {
    title: "Costs",
    section: "/costs",
    main: [
      heading("Costs"),
      facts([
        ["Today", money(budget.spent_today_micros)],
        [
          "Budget per day",
          el("a", { href: "/settings/budget" }, budget.daily_micros === 0 ? "no limit" : money(budget.daily_micros))
        ],
        ["Since", when(since)],
        ["Sum", `${money(total.cost_micros)} for ${plural(total.calls, "call")}`],
        ["Calls without a price", number(total.unpriced_calls)]
      ]),
      filters(
        "/costs",
        field({ name: "group", label: "By", value: group, options: costGroups.map((one) => [one, one] as const) })
      ),
      table(
        `Costs by ${group}`,
        [group, "Cost", "Calls", "Tokens in", "Tokens out"],
        groups.map(({ key, cost_micros, calls, input_tokens, output_tokens }) => [
          group === "meeting" && key !== "unknown" ? el("a", { href: `/meetings/${key}` }, short(key)) : key,
          money(cost_micros),
          number(calls),
          number(input_tokens),
          number(output_tokens)
        ]),
        "No model has been called."
      ),
      part(
        "Models",
        table(
          "Models",
          ["For", "Model", "Provider", "Key", "Today", "Last 30 days"],
          models.map((model) => [
            model.purpose,
            model.name ?? "none",
            model.provider ?? "–",
            model.key,
            money(model.today.cost_micros),
            money(model.last_30_days.cost_micros)
          ]),
          "There are no models."
        )
      )
    ]
  }
})

/** `/gaps`: the parts that held meetings lack, with links to those meetings. */
export const loadGaps: ConsoleLoad<never, MeetingList> = Effect.fn("Console.gaps")(function* () {
  const { held, gaps } = yield* (yield* MeetingList).gaps
  return {
    title: "Gaps",
    section: "/gaps",
    main: [
      heading("Gaps"),
      el("p", { class: "note" }, `${plural(held, "meeting")} held and on record.`),
      table(
        "Gaps",
        ["What is missing", "Meetings", "Being worked on", "Filled by"],
        gaps.map(({ gap, meetings, in_work, stage }) => [
          el("a", { href: `/meetings?gap=${gap}&include_bare=true` }, gap.replaceAll("_", " ")),
          number(meetings),
          number(in_work),
          stage
        ]),
        "Nothing is missing."
      )
    ]
  }
})

/** `/drills`: rehearsals, newest first. */
export const loadDrills: ConsoleLoad<never, Drills> = Effect.fn("Console.drills")(function* () {
  const { drills } = yield* (yield* Drills).list
  return {
    title: "Drills",
    section: "/drills",
    main: [
      heading("Drills"),
      table(
        "Drills",
        ["Started", "By", "State", "Ended", "Report"],
        drills.map((drill) => [
          when(drill.started_at),
          drill.started_by,
          state(drill.state),
          when(drill.ended_at),
          drill.report === undefined
            ? undefined
            : el(
                "ul",
                {},
                ...[drill.report.broken_off ?? []].flat().map((why) => el("li", {}, why)),
                ...drill.report.stages.map(({ stage, verdict, finding }) =>
                  el("li", {}, state(verdict), ` ${stage}: ${finding}`)
                )
              )
        ]),
        "No drill has been started."
      )
    ]
  }
})

/** `/history`: what operators did, newest first. */
export const loadHistory: ConsoleLoad<never, OperatorActions> = Effect.fn("Console.history")(function* ({ query }) {
  const page = pageOf(query)
  const lines = yield* (yield* OperatorActions).history(page)
  return {
    title: "History",
    section: "/history",
    main: [
      heading("History"),
      el("p", { class: "note" }, "What operators and their machines did in the last two years."),
      table(
        "History",
        ["At", "Who", "What", "To", "Detail"],
        lines.map(({ at, operator, action, subject, detail }) => [
          when(at),
          operator,
          action,
          subject,
          el("code", { class: "detail" }, JSON.stringify(detail))
        ]),
        "Nothing has been done yet."
      ),
      pager({ page, pages: lines.length === historyPage ? page + 1 : page, path: (to) => `/history?page=${to}` })
    ]
  }
})

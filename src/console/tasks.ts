import { Effect } from "effect"
import type { AgentTask } from "../../schema/agent/task.ts"
import { el, heading } from "../page-tree/tree.ts"
import type { NotFound } from "../services/failures.ts"
import { PipelineLog } from "../services/queue/pipeline-log.ts"
import { flowKinds, laneNames, stageNames } from "../services/queue/stages.ts"
import { taskPage, Work } from "../services/queue/work.ts"
import { lineList } from "./logs.ts"
import type { ConsoleLoad } from "./page.ts"
import {
  anyOr,
  button,
  facts,
  field,
  filters,
  pageOf,
  paging,
  part,
  short,
  state,
  subjectLink,
  table,
  taskTable,
  when
} from "./parts.ts"

const states: ReadonlyArray<AgentTask["state"]> = ["running", "waiting", "blocked", "failed", "done", "cancelled"]

/** `/tasks`: the tasks that match the filters. */
export const loadTasks: ConsoleLoad<never, Work> = Effect.fn("Console.tasks")(function* ({ query }) {
  const given = (name: string) => query.get(name) || undefined
  const page = pageOf(query)
  const wanted = states.find((one) => one === given("state"))
  const { total, tasks } = yield* (yield* Work).tasks({
    state: wanted,
    stage: given("stage"),
    lane: given("lane"),
    kind: given("kind"),
    page
  })
  return {
    title: "Tasks",
    section: "/tasks",
    main: [
      heading("Tasks"),
      filters(
        "/tasks",
        field({ name: "state", label: "State", value: wanted, options: anyOr(states) }),
        field({ name: "stage", label: "Stage", value: given("stage"), options: anyOr(stageNames) }),
        field({ name: "lane", label: "Lane", value: given("lane"), options: anyOr(laneNames) }),
        field({ name: "kind", label: "Of", value: given("kind"), options: anyOr(Object.keys(flowKinds)) })
      ),
      paging({ path: "/tasks", query, page, size: taskPage, total }, "task"),
      taskTable("Tasks", tasks, "No task is like this.")
    ]
  }
})

/** What can be done with a task as it is. */
const actionsOn = ({ id, state, stage }: AgentTask) =>
  el(
    "div",
    { class: "actions" },
    state === "failed" && button({ to: `/tasks/${id}/retry`, label: "Retry" }),
    ["done", "failed", "cancelled"].includes(state) &&
      button({ to: `/tasks/${id}/rerun`, label: `Do ${stage} again, with all that follows`, quiet: true }),
    ["blocked", "waiting", "running"].includes(state) &&
      button({ to: `/tasks/${id}/cancel`, label: "Cancel the whole flow", quiet: true })
  )

/** `/tasks/{id}`: a task with its flow, its events and its log. */
export const loadTask: ConsoleLoad<NotFound, Work | PipelineLog> = Effect.fn("Console.task")(function* ({ params }) {
  const work = yield* Work
  const { task, events } = yield* work.task(params.id ?? "")
  const flow = yield* work.flow(task.flow_id)
  const { lines } = yield* (yield* PipelineLog).read({ task_id: task.id, limit: 100 })
  return {
    title: `${task.stage} of ${task.about ?? task.flow_kind}`,
    section: "/tasks",
    main: [
      heading(`${task.stage} of ${task.about ?? task.flow_kind}`),
      facts([
        ["State", state(task.state)],
        ["Of", subjectLink(task)],
        ["Id", el("code", {}, task.id)],
        ["Tries", String(task.attempts)],
        ["Due", when(task.due_at)],
        ["Started", when(task.started_at)],
        ["Ended", when(task.ended_at)],
        ["Why", task.failure ?? task.reason ?? "–"]
      ]),
      actionsOn(task),
      part("Stages of this flow", taskTable("Stages of this flow", flow, "The flow has no tasks.")),
      part(
        "What happened",
        table(
          "What happened",
          ["At", "What", "Worker", "Detail"],
          events.map((event) => [
            when(event.at),
            event.kind.replaceAll("_", " "),
            event.worker_id === undefined ? "" : short(event.worker_id),
            event.detail ?? ""
          ]),
          "Nothing has happened yet."
        )
      ),
      part("Log", lineList(lines), el("p", {}, el("a", { href: `/logs?task_id=${task.id}` }, "All of its lines")))
    ]
  }
})

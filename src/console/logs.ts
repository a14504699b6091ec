import { Effect, Schema } from "effect"
import { AgentLogQuery, type AgentLogs, pipelineLogLevels } from "../../schema/agent/log.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { queryDecoder, withQuery } from "../pages/query.ts"
import { PipelineLog } from "../services/queue/pipeline-log.ts"
import type { ConsoleAsked, ConsoleLoad } from "./page.ts"
import { anyOr, field, filters, when } from "./parts.ts"

type Line = AgentLogs["lines"][number]

const lineItem = ({ at, level, source, message, fields, task_id, meeting_id }: Line): Kid =>
  el(
    "li",
    { class: level },
    when(at),
    " ",
    el("span", { class: "level" }, level),
    " ",
    el("span", { class: "source" }, source),
    " ",
    el("span", { class: "message" }, message),
    Object.entries(fields).map(([name, value]) => el("span", { class: "fields" }, ` ${name}=${String(value)}`)),
    task_id !== undefined && [" ", el("a", { href: `/tasks/${task_id}` }, "task")],
    meeting_id !== undefined && [" ", el("a", { href: `/meetings/${meeting_id}` }, "meeting")]
  )

/** Lines of the log, the oldest first. */
export const lineList = (lines: ReadonlyArray<Line>): Kid =>
  lines.length === 0
    ? el("p", { class: "note" }, "There are no such lines.")
    : el("ol", { class: "lines", id: "lines" }, lines.map(lineItem))

const decode = queryDecoder(Schema.Struct(AgentLogQuery))

/** The log lines that an address selects. */
const linesAsked = Effect.fnUntraced(function* ({ query }: ConsoleAsked) {
  return yield* (yield* PipelineLog).read(yield* decode(query))
})

/** `/logs`: the log of the pipeline, newest lines last, with links to older and newer ones. */
export const loadLogs: ConsoleLoad<never, PipelineLog> = Effect.fn("Console.logs")(function* (asked) {
  const { query } = asked
  const { lines, before, after } = yield* linesAsked(asked)
  const { before: _, after: _1, ...kept } = Object.fromEntries(query)
  const at = (cursor: { readonly before?: number; readonly after?: number }) =>
    withQuery("/logs", { ...kept, ...cursor })
  return {
    title: "Logs",
    section: "/logs",
    script: "console-logs",
    main: [
      heading("Logs"),
      filters(
        "/logs",
        field({ name: "levels", label: "Level", value: query.get("levels") ?? "", options: anyOr(pipelineLogLevels) }),
        field({ name: "sources", label: "Source", value: query.get("sources") ?? "", optional: true }),
        field({ name: "q", label: "Words", value: query.get("q") ?? "", optional: true }),
        field({ name: "task_id", label: "Task", value: query.get("task_id") ?? "", optional: true }),
        field({ name: "meeting_id", label: "Meeting", value: query.get("meeting_id") ?? "", optional: true }),
        field({ name: "worker_id", label: "Worker", value: query.get("worker_id") ?? "", optional: true })
      ),
      el(
        "p",
        { class: "actions" },
        before !== undefined && el("a", { href: at({ before }) }, "Older lines"),
        el("a", { href: at({ after }) }, "Newer lines"),
        el("a", { href: at({}) }, "Newest lines"),
        el("button", { type: "button", id: "follow", hidden: true, "aria-pressed": false }, "Follow live")
      ),
      el("div", { id: "log", "data-after": after }, lineList(lines))
    ]
  }
})

import type { AgentIssue } from "../../schema/agent/issue.ts"
import { el, type Kid } from "../page-tree/tree.ts"
import { plural } from "../pages/said.ts"
import type { OpenReport } from "../services/accounts/mistake-reports.ts"
import { settingForms } from "../services/settings/settings.ts"
import { mistake } from "./mistakes.ts"
import { button, state, when } from "./parts.ts"

/** The most subjects of one fault that are listed at once; the others follow under a line that opens. */
const shownAtOnce = 5

/** The console page on which an issue is dealt with. */
const pathOf = ({ subject: { type, id } }: AgentIssue): string => {
  switch (type) {
    case "task":
    case "source":
    case "meeting":
      return `/${type}s/${encodeURIComponent(id)}`
    case "completion_run":
      return `/runs/${encodeURIComponent(id)}`
    case "worker":
      return "/workers"
    case "host":
      return `/sources?q=${encodeURIComponent(id)}`
    case "model":
      return "/costs"
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
  task_failed: "Look at its tries and its log if retrying does not help.",
  source_failing: "Open its address in a browser; crawl it again once it answers, correct it, or pause it.",
  source_body_unmapped: "Say on its page which body on record it is, or that it is new.",
  recording_unpaired: "Say on the page of its source which meeting it is of, or that it is of none.",
  briefing_pending: "Check it again once the cause is gone.",
  mistake_reported: "Listen there. Correct what is wrong, or leave what is right; then say which.",
  recording_left_out: "Correct its address at its source, or import the file; then fetch it again.",
  vote_conflict: "Listen to it. If the words are wrong, import a corrected transcript; if the data is, tell the city.",
  host_busy: "Ask its operators for a higher limit, or pause the sources that use it.",
  candidate_found: "Add it as a source on the page of its run.",
  lane_paused: "Its tasks wait until it is opened.",
  lane_stuck: "See what fills the lane; start more workers, or raise its setting.",
  budget_spent: "See what it was spent on under Costs; raise the budget, or wait until midnight UTC."
}

/** What many of a kind have in common. */
const together: Readonly<Record<string, (count: number) => string>> = {
  task_failed: (count) => `${plural(count, "task")} failed for the same reason.`,
  source_failing: (count) => `${plural(count, "source")} cannot be crawled.`,
  source_body_unmapped: (count) => `${plural(count, "name")} that sources list are mapped to no body.`,
  briefing_pending: (count) =>
    `${plural(count, "briefing")} have waited for their claims to be checked for more than 24 hours.`,
  recording_left_out: (count) => `The recordings of ${plural(count, "meeting")} were left out.`,
  recording_unpaired: (count) => `${plural(count, "recording")} wait for you to say which meetings they are of.`,
  vote_conflict: (count) => `Votes of ${plural(count, "meeting")} are not what is heard of them.`,
  worker_silent: (count) => `${plural(count, "worker")} fell silent.`,
  candidate_found: (count) => `${plural(count, "address", "addresses")} may be sources.`
}

/** The buttons that deal with an issue where it stands. */
const remedies = ({ kind, subject: { id, name = id }, task_id }: AgentIssue): Kid => {
  const again = (label: string) =>
    task_id !== undefined && button({ to: `/tasks/${task_id}/rerun`, label, about: name, quiet: true })
  const initial = Object.entries(settingForms).find(([setting]) => setting === `lanes.${id}`)?.[1].initial
  switch (kind) {
    case "task_failed":
      return button({ to: `/tasks/${id}/retry`, label: "Retry", about: name })
    case "source_failing":
      return [
        button({ to: `/sources/${id}/crawl`, label: "Crawl now", about: name }),
        button({ to: `/sources/${id}/pause`, label: "Pause", about: name, quiet: true })
      ]
    case "briefing_pending":
      return again("Check it again")
    case "recording_left_out":
      return again("Fetch it again")
    case "lane_paused":
      return button({
        ...{ to: "/settings/change", label: "Open the lane", about: name },
        fields: { name: `lanes.${id}`, value: String(initial ?? 1) }
      })
    default:
      return undefined
  }
}

/** Issues that are one fault: of the same kind, for the same reason. Those of one subject only are alone. */
const faultOf = ({ kind, message, cause, subject: { id } }: AgentIssue): string =>
  together[kind] === undefined ? `${kind} ${id}` : `${kind} ${kind === "task_failed" ? message : (cause ?? "")}`

/** Kinds whose subjects have one fault and yet each its own words. */
const toldApart = new Set([
  "source_body_unmapped",
  "candidate_found",
  "recording_left_out",
  "recording_unpaired",
  "vote_conflict"
])

const subjectItem = (issue: AgentIssue, _: number, all: ReadonlyArray<AgentIssue>): Kid =>
  el(
    "li",
    { class: "actions" },
    all.length > 1 && toldApart.has(issue.kind) && el("span", {}, issue.message),
    el("a", { href: pathOf(issue) }, issue.subject.name ?? issue.subject.id),
    el("span", { class: "note" }, "since ", when(issue.since)),
    remedies(issue)
  )

type Fault = readonly [AgentIssue, ...ReadonlyArray<AgentIssue>]

const faultItem = (issues: Fault, report: OpenReport | undefined): Kid => {
  const [{ subject, kind, severity, message, next_step, cause }] = issues
  const many = together[kind]
  const said = issues.length > 1 && many !== undefined ? many(issues.length) : message
  const rest = issues.slice(shownAtOnce)
  return el(
    "li",
    { class: `issue ${severity}` },
    el("p", {}, state(severity), " ", el("strong", {}, said)),
    cause !== undefined && !said.includes(cause) && el("p", {}, cause),
    el("p", { class: "note" }, steps[kind] ?? next_step),
    report === undefined
      ? el("ul", {}, issues.slice(0, shownAtOnce).map(subjectItem))
      : [el("p", {}, subject.name), mistake(report)],
    rest.length > 0 &&
      el("details", {}, el("summary", {}, `${plural(rest.length, "other")}`), el("ul", {}, rest.map(subjectItem)))
  )
}

/** Issues, each fault once: what has it, why, and the buttons that deal with it. */
export const issueList = (
  issues: ReadonlyArray<AgentIssue>,
  reports: ReadonlyArray<OpenReport>
): { readonly faults: number; readonly list: Kid } => {
  const faults = [...Map.groupBy(issues, faultOf).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [[first, ...more] as const]
  )
  const items = faults.map((fault) => {
    const [{ kind, subject }] = fault
    return faultItem(fault, kind === "mistake_reported" ? reports.find(({ id }) => id === subject.id) : undefined)
  })
  return { faults: faults.length, list: faults.length > 0 && el("ol", { class: "issues" }, items) }
}

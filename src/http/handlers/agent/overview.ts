import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../../../layers/config/config.ts"
import type { AgentIssue } from "../../../../schema/agent/issue.ts"
import { CurrentAgent } from "../../../api/agent/access.ts"
import { Api } from "../../../api/api.ts"
import { wire } from "../../../failures/failures.ts"
import { Drills } from "../../../services/operators/drills.ts"
import { Issues } from "../../../services/operators/issues.ts"
import { PipelineLog } from "../../../services/queue/pipeline-log.ts"
import { Work } from "../../../services/queue/work.ts"
import { SettingFamilies } from "../../../services/settings/setting-families.ts"
import { Build } from "../../build.ts"

const startHere = [
  ["/api/agent/issues", "What needs an operator"],
  ["/api/agent/live", "What is running"],
  ["/api/agent/meetings/gaps", "What held meetings lack"],
  ["/api/agent/meetings", "Meetings as the pipeline sees them"],
  ["/api/agent/sources", "Calendars that are crawled"],
  ["/api/agent/places", "Places, with their completion runs"],
  ["/api/agent/agencies", "Bodies"],
  ["/api/agent/workers", "Processes that do tasks"],
  ["/api/agent/logs", "The pipeline's log"],
  ["/api/agent/costs", "What models cost"],
  ["/api/agent/models", "The models that are configured"],
  ["/api/agent/drills", "Rehearsals"]
] as const

export const AgentOverviewLive = HttpApiBuilder.group(
  Api,
  "agent_overview",
  Effect.fnUntraced(function* (handlers) {
    const issues = yield* Issues
    const log = yield* PipelineLog
    const work = yield* Work
    const drills = yield* Drills
    const settings = yield* SettingFamilies
    const build = yield* Build
    const { baseUrl } = yield* Environment
    const families = settings.families.map(
      (family) => [`/api/agent/settings/${family}`, `Settings: ${family}`] as const
    )
    return handlers.handleAll({
      index: Effect.fnUntraced(function* () {
        const { machine, runId } = yield* CurrentAgent
        const { issues: found } = yield* issues.issues
        const count = (severity: AgentIssue["severity"]) => found.filter((issue) => issue.severity === severity).length
        const run =
          runId === undefined ? [] : [[`/api/agent/completion/${runId}`, "The completion run of this token"] as const]
        return {
          machine,
          ...(runId === undefined ? {} : { run_id: runId }),
          build: build.id,
          issues: { error: count("error"), warning: count("warning"), notice: count("notice") },
          start_here: [...run, ...startHere, ...families].map(([path, title]) => ({ href: `${baseUrl}${path}`, title }))
        }
      }),
      issues: () => issues.issues,
      logs: ({ query }) => log.read(query),
      taskEvents: ({ params }) => Effect.mapError(work.task(params.id), wire),
      workers: () => work.workers,
      live: () => work.live,
      drills: () => drills.list
    })
  })
)

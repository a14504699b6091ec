import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AgentDrills } from "../../../schema/agent/drill.ts"
import { AgentIndex, AgentIssues } from "../../../schema/agent/issue.ts"
import { AgentLogQuery, AgentLogs } from "../../../schema/agent/log.ts"
import { AgentLive, AgentTaskEvents, AgentWorkers } from "../../../schema/agent/task.ts"
import { Internal, NotFound, Unavailable } from "../errors/classes.ts"
import { NamesBadFields } from "../middleware.ts"
import { Security } from "../security.ts"
import { AgentAccess, agentOnly } from "./access.ts"

const error = [Internal, Unavailable] as const

const taskId = {
  id: Schema.String.pipe(
    Schema.annotateKey({ description: "The task's id.", examples: ["0199d3f0-0000-7000-8000-000000000002"] })
  )
}

/** Spec 4.9: how the service stands and what it is doing. */
export const AgentOverviewGroup = HttpApiGroup.make("agent_overview")
  .add(
    HttpApiEndpoint.get("index", "/api/agent", { success: AgentIndex, error }).annotateMerge(
      OpenApi.annotations({
        identifier: "getAgentIndex",
        summary: "Start here as an operator",
        description: "Returns who you are, how many issues there are of each severity, and where to go on."
      })
    ),
    HttpApiEndpoint.get("issues", "/api/agent/issues", { success: AgentIssues, error }).annotateMerge(
      OpenApi.annotations({
        identifier: "listAgentIssues",
        summary: "List what needs an operator",
        description:
          "Returns failed tasks, silent workers, stuck and paused lanes, stages that no worker can do, sources that cannot be crawled, briefings that wait too long, and whatever the service depends on that is away. Nothing is acknowledged or stored: an issue is gone once its cause is."
      })
    ),
    HttpApiEndpoint.get("logs", "/api/agent/logs", { query: AgentLogQuery, success: AgentLogs, error }).annotateMerge(
      OpenApi.annotations({
        identifier: "listAgentLogs",
        summary: "Read the pipeline's log",
        description:
          "Returns lines of all machines, oldest first: the newest ones, or those `before` or `after` a line. To follow the log, send `after` as the last response gave it; no line is skipped or repeated, however many are written meanwhile."
      })
    ),
    HttpApiEndpoint.get("taskEvents", "/api/agent/tasks/:id/events", {
      params: taskId,
      success: AgentTaskEvents,
      error: [...error, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "listAgentTaskEvents",
        summary: "Read what happened to a task",
        description: "Returns the task as it is now, and everything that happened to it, oldest first."
      })
    ),
    HttpApiEndpoint.get("workers", "/api/agent/workers", { success: AgentWorkers, error }).annotateMerge(
      OpenApi.annotations({
        identifier: "listAgentWorkers",
        summary: "List the workers",
        description: "Returns the processes that do tasks, with the tasks that they are running."
      })
    ),
    HttpApiEndpoint.get("live", "/api/agent/live", { success: AgentLive, error }).annotateMerge(
      OpenApi.annotations({
        identifier: "getAgentLive",
        summary: "See what is running",
        description: "Returns the tasks that are running at this moment, and how full each lane is."
      })
    ),
    HttpApiEndpoint.get("drills", "/api/agent/drills", { success: AgentDrills, error }).annotateMerge(
      OpenApi.annotations({
        identifier: "listAgentDrills",
        summary: "List the drills",
        description: "Returns rehearsals of everything from a crawl to a published meeting, newest first."
      })
    )
  )
  .middleware(AgentAccess)
  .middleware(NamesBadFields)
  .annotate(Security, agentOnly)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: overview", description: "How the service stands, and what it is doing." })
  )

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  CompletionAccepted,
  CompletionRun,
  FileCandidatesRequest,
  ReassignMeetingAgencyRequest,
  UpdateSourceBodiesRequest
} from "../../../schema/agent/completion.ts"
import { Conflict, Internal, NotFound, Unavailable } from "../errors/classes.ts"
import { NamesBadFields } from "../middleware.ts"
import { Security } from "../security.ts"
import { AgentAccess, agentOnly } from "./access.ts"

const error = [NotFound, Internal, Unavailable] as const
const accepted = CompletionAccepted.pipe(HttpApiSchema.status(202))

const idOf = (what: string, example: string) =>
  Schema.String.pipe(Schema.annotateKey({ description: `The ${what}'s id.`, examples: [example] }))

const runId = idOf("completion run", "0199d3f0-0000-7000-8000-00000000000a")
const about = (what: string, example: string) => ({ runId, id: idOf(what, example) })
const discovered = about("discovered meeting", "0199d3f0-0000-7000-8000-00000000000b")
const meeting = about("meeting", "3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90")

const stage = Schema.String.pipe(
  Schema.annotateKey({ description: "A stage of a meeting, by name.", examples: ["transcribe"] })
)

/** The parts that all operations of a run share. */
const rule =
  "Needs a token that was minted for this run; any other gets `agent_token_read_only`. Sent again it changes nothing more, and `changed` says so. Every request is written to the run's `actions`."

/** Spec 4.9: making one place's record whole. */
export const AgentCompletionGroup = HttpApiGroup.make("agent_completion")
  .add(
    HttpApiEndpoint.get("run", "/api/agent/completion/:runId", {
      params: { runId },
      success: CompletionRun,
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getCompletionRun",
        summary: "Get a completion run",
        description:
          "Returns the place's sources, its candidates with what was found at their addresses, what was discovered and is not on record, what its held meetings lack, its unfinished tasks, and what was done under the run."
      })
    ),
    HttpApiEndpoint.post("importDiscovered", "/api/agent/completion/:runId/discovered/:id/import", {
      params: discovered,
      success: accepted,
      error: [...error, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "importDiscovered",
        summary: "Import a discovered meeting",
        description: `Puts a discovered meeting on record under the id that it was discovered with, and adds its flow. If its body is mapped to none on record, the answer is \`ambiguous_body\`. ${rule}`
      })
    ),
    HttpApiEndpoint.post("sameBody", "/api/agent/completion/:runId/discovered/:id/same-body", {
      params: discovered,
      success: accepted,
      error: [...error, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "mergeDiscoveredBody",
        summary: "Say that a discovered body is a known one",
        description: `Settles that the body of a discovered meeting is the one on record that \`same_as\` names, else the one of the place whose name is most like it. A body that its meetings were under until now is merged into it, and keeps answering at its slug. ${rule}`
      })
    ),
    HttpApiEndpoint.post("rerun", "/api/agent/completion/:runId/meetings/:id/rerun/:stage", {
      params: { ...meeting, stage },
      success: accepted,
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "rerunStage",
        summary: "Repeat a stage of a meeting",
        description: `Does the stage again with everything after it. A stage that is waiting or running is left alone. ${rule}`
      })
    ),
    HttpApiEndpoint.post("retry", "/api/agent/completion/:runId/tasks/:id/retry", {
      params: about("task", "0199d3f0-0000-7000-8000-000000000002"),
      success: accepted,
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "retryTask",
        summary: "Retry a failed task",
        description: `Lets a task that failed or waits until later be tried again now, with a fresh count; any other is left alone. ${rule}`
      })
    ),
    HttpApiEndpoint.put("bodies", "/api/agent/completion/:runId/sources/:id/bodies", {
      params: about("source", "0199d3f0-0000-7000-8000-00000000000c"),
      payload: UpdateSourceBodiesRequest,
      success: accepted,
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "updateSourceBodies",
        summary: "Map the bodies of a source",
        description: `Says which body on record each body of the source is, and crawls the source again. ${rule}`
      })
    ),
    HttpApiEndpoint.put("agency", "/api/agent/completion/:runId/meetings/:id/agency", {
      params: meeting,
      payload: ReassignMeetingAgencyRequest,
      success: accepted,
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "reassignMeeting",
        summary: "Move a meeting to another body",
        description: `Moves the meeting and publishes it again. Its old addresses still lead to it. ${rule}`
      })
    ),
    HttpApiEndpoint.post("candidates", "/api/agent/completion/:runId/places/:id/candidates", {
      params: about("place", "0199d3f0-0000-7000-8000-00000000000d"),
      payload: FileCandidatesRequest,
      success: accepted,
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "fileCandidates",
        summary: "File candidate bodies of the place",
        description: `Files bodies that the place is thought to have and the record lacks. The task \`probe\` fetches each address and reads what is there as a calendar (Legistar, iCalendar, RSS or Atom, or JSON); the run then shows, with each candidate, the kind of calendar with its bodies and meetings, or why there is none. A calendar is an issue (\`candidate_found\`) until an operator adds it as a source. One that was filed before takes the new name and kind, and is probed again if it was unreadable. ${rule}`
      })
    )
  )
  .middleware(AgentAccess)
  .middleware(NamesBadFields)
  .annotate(Security, agentOnly)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: completion", description: "Making the record of one place whole." })
  )

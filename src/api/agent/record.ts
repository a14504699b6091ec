import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AgentAgencies,
  AgentAgencyQuery,
  AgentPlaceQuery,
  AgentPlaces,
  AgentSourceQuery,
  AgentSources
} from "../../../schema/agent/directory.ts"
import { AgentGaps, AgentMeeting, AgentMeetingQuery, AgentMeetings } from "../../../schema/agent/meeting.ts"
import { AgentCostQuery, AgentCosts, AgentModels } from "../../../schema/agent/money.ts"
import { AgentSettings } from "../../../schema/agent/settings.ts"
import { Gone, Internal, NotFound, Unavailable } from "../errors/classes.ts"
import { NamesBadFields } from "../middleware.ts"
import { pageLink } from "../page-link.ts"
import { Security } from "../security.ts"
import { AgentAccess, agentOnly } from "./access.ts"

const error = [Internal, Unavailable] as const

const meetingId = {
  id: Schema.String.pipe(
    Schema.annotateKey({ description: "The meeting's id.", examples: ["3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90"] })
  )
}

const family = {
  family: Schema.String.pipe(
    Schema.annotateKey({ description: "The family: what stands before the dot of a name.", examples: ["pipeline"] })
  )
}

/** Spec 4.9: the record and where it comes from, as the pipeline sees them. */
export const AgentRecordGroup = HttpApiGroup.make("agent_record")
  .add(
    HttpApiEndpoint.get("meetings", "/api/agent/meetings", {
      query: AgentMeetingQuery.fields,
      success: HttpApiSchema.WithHeaders(AgentMeetings, {
        link: pageLink("/api/agent/meetings?gap=transcript&page=2")
      }),
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "listAgentMeetings",
        summary: "List meetings as the pipeline sees them",
        description:
          "Returns one page of meetings, newest first, each with the state of its stages and what it lacks. Values of one parameter are alternatives; different parameters are combined. Meetings that are still to come, and those with neither a recording nor a document, are left out unless asked for."
      })
    ),
    HttpApiEndpoint.get("gaps", "/api/agent/meetings/gaps", { success: AgentGaps, error }).annotateMerge(
      OpenApi.annotations({
        identifier: "getAgentGaps",
        summary: "Count what held meetings lack",
        description:
          "Returns for each part that a meeting can have how many held meetings lack it, and the stage that makes it."
      })
    ),
    HttpApiEndpoint.get("meeting", "/api/agent/meetings/:id", {
      params: meetingId,
      success: AgentMeeting,
      error: [...error, NotFound, Gone]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getAgentMeeting",
        summary: "Get a meeting as the pipeline sees it",
        description:
          "Returns its flows with their tasks and events, its parts with what wrote them, its media and its costs."
      })
    ),
    HttpApiEndpoint.get("costs", "/api/agent/costs", {
      query: AgentCostQuery,
      success: AgentCosts,
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getAgentCosts",
        summary: "Sum up what models cost",
        description:
          "Returns what calls of models cost in the last 90 days, summed by day, model, stage, provider or meeting."
      })
    ),
    HttpApiEndpoint.get("sources", "/api/agent/sources", {
      query: AgentSourceQuery.fields,
      success: HttpApiSchema.WithHeaders(AgentSources, { link: pageLink("/api/agent/sources?page=2") }),
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "listAgentSources",
        summary: "List the sources",
        description:
          "Returns one page of the calendars that are crawled, each with its last outcome and the bodies it lists."
      })
    ),
    HttpApiEndpoint.get("agencies", "/api/agent/agencies", {
      query: AgentAgencyQuery,
      success: AgentAgencies,
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "listAgentAgencies",
        summary: "Find bodies",
        description: "Returns bodies by name and place, also those without a meeting, with how many sources list each."
      })
    ),
    HttpApiEndpoint.get("places", "/api/agent/places", {
      query: AgentPlaceQuery,
      success: AgentPlaces,
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "listAgentPlaces",
        summary: "Find places",
        description:
          "Returns places by name, also those without a meeting, each with its id and its open completion run."
      })
    ),
    HttpApiEndpoint.get("models", "/api/agent/models", { success: AgentModels, error }).annotateMerge(
      OpenApi.annotations({
        identifier: "listAgentModels",
        summary: "List the models",
        description:
          "Returns the models that this deployment is configured for, what they were used for, and the budget."
      })
    ),
    HttpApiEndpoint.get("settings", "/api/agent/settings/:family", {
      params: family,
      success: AgentSettings,
      error: [...error, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getAgentSettings",
        summary: "Read a family of settings",
        description:
          "Returns the settings of a family with the history of their changes. Secrets show only as `set` or `unset`."
      })
    )
  )
  .middleware(AgentAccess)
  .middleware(NamesBadFields)
  .annotate(Security, agentOnly)
  .annotateMerge(
    OpenApi.annotations({
      title: "Operators: record",
      description: "Meetings, sources, bodies and places as the pipeline sees them; costs and settings."
    })
  )

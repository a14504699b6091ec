import { meetingId } from "../support/builders.ts"
import type { Operated } from "../support/operators.ts"
import type { Call, Calls } from "./call.ts"

const none = meetingId("none")

/** A good call and a bad one of every operation for operators. */
export const agentCallsOf = (operated: Operated): Readonly<Record<string, Calls>> => {
  const { run, readOnly, ofRun } = operated
  const reading = (path: string): Calls => ({
    good: { path: `/api/agent${path}`, who: readOnly },
    bad: { path: `/api/agent${path}`, answer: [401, "agent_token_required"] }
  })
  const refusing = (good: string, bad: string, status: number, error: string): Calls => ({
    good: { path: `/api/agent${good}`, who: readOnly },
    bad: { path: `/api/agent${bad}`, who: readOnly, answer: [status, error] }
  })
  const call = (path: string, body?: unknown, method = "POST"): Call => ({
    path: `/api/agent/completion/${run}/${path}`,
    who: ofRun,
    method,
    ...(body === undefined ? {} : { body })
  })
  const accepted = (good: Call, bad: Call, status: number, error: string): Calls => ({
    good,
    status: 202,
    bad: { ...bad, answer: [status, error] }
  })
  return {
    getAgentIndex: reading(""),
    listAgentIssues: reading("/issues"),
    listAgentLogs: refusing(
      "/logs?sources[]=worker&levels=info&levels=warn&q=task&after=0&before=9007199254740991&limit=5",
      "/logs?limit=1001",
      400,
      "invalid_request"
    ),
    listAgentTaskEvents: refusing(`/tasks/${operated.task}/events`, "/tasks/none/events", 404, "not_found"),
    listAgentWorkers: reading("/workers"),
    getAgentLive: reading("/live"),
    listAgentDrills: reading("/drills"),
    listAgentMeetings: refusing(
      "/meetings?q=meeting&state[]=IL&county[]=Sangamon+County&city[]=Springfield&type[]=city_council&status[]=held&status[]=failed&gap[]=transcript&gap[]=recap&video[]=none&attachments[]=none&summary[]=none&clips[]=none&page=1&page_size=10&group_by=agency&per_group=2&include_upcoming=true&include_bare=true&past=true",
      "/meetings?gap=everything",
      400,
      "invalid_request"
    ),
    getAgentGaps: reading("/meetings/gaps"),
    getAgentMeeting: refusing(`/meetings/${meetingId("full")}`, `/meetings/${none}`, 404, "not_found"),
    getAgentCosts: refusing("/costs?group=meeting", "/costs?group=mood", 400, "invalid_request"),
    listAgentSources: refusing("/sources?q=council&order=failing", "/sources?order=mood", 400, "invalid_request"),
    listAgentAgencies: reading("/agencies?name=council&place=springfield"),
    listAgentPlaces: reading("/places?name=sprngfield"),
    listAgentModels: reading("/models"),
    getAgentSettings: refusing("/settings/pipeline", "/settings/mood", 404, "not_found"),
    getCompletionRun: refusing(`/completion/${run}`, "/completion/none", 404, "not_found"),
    importDiscovered: accepted(
      call(`discovered/${operated.mapped}/import`),
      call(`discovered/${operated.unlike}/import`),
      409,
      "ambiguous_body"
    ),
    mergeDiscoveredBody: accepted(
      call(`discovered/${operated.alike}/same-body`),
      call(`discovered/${none}/same-body`),
      404,
      "not_found"
    ),
    rerunStage: accepted(
      call(`meetings/${meetingId("full")}/rerun/briefing`),
      call(`meetings/${meetingId("full")}/rerun/singing`),
      404,
      "not_found"
    ),
    retryTask: accepted(call(`tasks/${operated.task}/retry`), call(`tasks/${none}/retry`), 404, "not_found"),
    updateSourceBodies: accepted(
      call(`sources/${operated.source}/bodies`, { bodies: [{ source_body: "Parks", agency_slug: "parks-a" }] }, "PUT"),
      call(`sources/${operated.source}/bodies`, { bodies: [{ source_body: "Parks", agency_slug: "none" }] }, "PUT"),
      400,
      "invalid_request"
    ),
    reassignMeeting: accepted(
      call(`meetings/${meetingId("bare")}/agency`, { agency_slug: "parks-a" }, "PUT"),
      call(`meetings/${meetingId("bare")}/agency`, { agency_slug: "none" }, "PUT"),
      400,
      "invalid_request"
    ),
    fileCandidates: accepted(
      call(`places/${operated.place}/candidates`, {
        candidates: [{ name: "Library Board", kind: "other", url: "https://library.example.gov/calendar" }]
      }),
      call(`places/${operated.place}/candidates`, { candidates: [] }),
      400,
      "invalid_request"
    )
  }
}

import type { BodyRef } from "../../../schema/agency.ts"
import type { CompletionAccepted, CompletionRun } from "../../../schema/agent/completion.ts"
import type { AgentAgencies, AgentPlaces, AgentSource, AgentSources } from "../../../schema/agent/directory.ts"
import type { AgentIndex, AgentIssues } from "../../../schema/agent/issue.ts"
import type { AgentLogs } from "../../../schema/agent/log.ts"
import type { AgentGaps, AgentMeeting, AgentMeetings } from "../../../schema/agent/meeting.ts"
import type { AgentCosts } from "../../../schema/agent/money.ts"
import type { AgentLive, AgentTask, AgentTaskEvents, AgentWorkers } from "../../../schema/agent/task.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import type { PlaceRef } from "../../../schema/place.ts"
import { settingExamples } from "./agent-settings.ts"

const worker = "8d1f6f0a-6b0e-4c8e-9a51-0f3a9f1f2b10"
const flow = "0199d3f0-0000-7000-8000-000000000001"
const run = "0199d3f0-0000-7000-8000-00000000000a"
const found = "0199d3f0-0000-7000-8000-00000000000b"
const sourceId = "0199d3f0-0000-7000-8000-00000000000c"
const candidate = "0199d3f0-0000-7000-8000-00000000000f"
const placeId = "0199d3f0-0000-7000-8000-00000000000d"
const at = "2026-03-12T08:15:00.000Z"

const usage = { calls: 14, input_tokens: 182_400, output_tokens: 9300, cost_micros: 412_500, unpriced_calls: 0 }

/** Answers to operators, about the place, the body and the meeting of the other examples. */
export const agentExamples = (place: PlaceRef, body: BodyRef, held: MeetingCard) => {
  const failed: AgentTask = {
    id: "0199d3f0-0000-7000-8000-000000000002",
    flow_id: flow,
    flow_kind: "meeting",
    stage: "transcribe",
    lane: "speech",
    state: "failed",
    attempts: 8,
    progress: 0.4,
    due_at: at,
    started_at: at,
    ended_at: "2026-03-12T08:17:30.000Z",
    failure: "The speech model gave no answer.",
    meeting_id: held.id
  }
  const running: AgentTask = {
    id: "0199d3f0-0000-7000-8000-000000000003",
    flow_id: flow,
    flow_kind: "meeting",
    stage: "render",
    lane: "media",
    state: "running",
    attempts: 1,
    progress: 0.6,
    due_at: at,
    started_at: at,
    worker_id: worker,
    meeting_id: held.id
  }
  const ready = {
    id: "0199d3f0-0000-7000-8000-000000000004",
    flow_id: flow,
    flow_kind: "meeting",
    state: "waiting",
    attempts: 0,
    progress: 0,
    due_at: at
  } as const
  const crawl: AgentTask = { ...ready, flow_kind: "crawl", stage: "crawl", lane: "web", source_id: sourceId }
  const accepted = (operation: string, task: AgentTask): CompletionAccepted => ({
    run_id: run,
    operation,
    changed: true,
    task
  })
  const source: AgentSource = {
    id: sourceId,
    kind: "legistar",
    url: "https://webapi.legistar.com/v1/springfield",
    place,
    every_seconds: 21_600,
    crawl_at: "2026-03-12T12:00:00.000Z",
    crawled_at: "2026-03-12T06:00:00.000Z",
    outcome: "ok",
    bodies: [{ source_body: "City Council", agency: body }, { source_body: "Zoning Board" }],
    not_imported: 1
  }
  const issues: AgentIssues = {
    at,
    total: 1,
    issues: [
      {
        kind: "task_failed",
        severity: "error",
        since: "2026-03-12T08:17:30.000Z",
        subject: { type: "task", id: failed.id },
        message: "The stage transcribe failed: The speech model gave no answer.",
        next_step: `GET /api/agent/tasks/${failed.id}/events shows its tries; then retry it under a completion run.`
      }
    ]
  }
  const agencies: AgentAgencies = {
    total: 1,
    agencies: [{ agency: { ...body, places: [place], meetings_held: 48 }, sources: 1, latest_meeting: held.date }]
  }
  const places: AgentPlaces = {
    total: 1,
    places: [{ id: placeId, ...place, bodies: 3, meetings_held: 61, sources: 1, run_id: run }]
  }
  const completion: CompletionRun = {
    id: run,
    place,
    place_id: placeId,
    started_by: "console",
    created_at: at,
    sources: [source],
    candidates: [
      {
        id: candidate,
        name: "Library Board",
        kind: "other",
        url: "https://library.example.gov/meetings.ics",
        filed_by: "build-box",
        created_at: at,
        probed_at: at,
        calendar: { kind: "ical", bodies: ["Library Board"], meetings: 12 }
      }
    ],
    discovered_total: 1,
    discovered: [
      {
        id: found,
        source_id: sourceId,
        source_body: "Zoning Board",
        title: "Zoning Board",
        date: "2026-03-05",
        status: "held",
        source_url: "https://springfield.example.gov/meetings/812"
      }
    ],
    gaps: [{ gap: "transcript", stage: "transcribe", meetings: 1, newest: [held.id] }],
    tasks: [failed],
    actions: [
      { id: 7, at, machine: "build-box", operation: "retry", subject: failed.id, changed: true, task_id: failed.id }
    ]
  }
  return {
    getAgentIndex: {
      machine: "build-box",
      build: "0.1.0",
      issues: { error: 1, warning: 0, notice: 0 },
      start_here: [{ href: "https://record.example.gov/api/agent/issues", title: "What needs an operator" }]
    } satisfies AgentIndex,
    listAgentIssues: issues,
    listAgentLogs: {
      lines: [
        {
          id: 1181,
          at,
          source: "transcribe",
          level: "warn",
          worker_id: worker,
          meeting_id: held.id,
          task_id: failed.id,
          message: "The task will be tried again: The speech model gave no answer.",
          fields: { attempt: 1 }
        }
      ],
      before: 1181,
      after: 1181
    } satisfies AgentLogs,
    listAgentTaskEvents: {
      task: failed,
      events: [
        { id: 90, at, kind: "added" },
        { id: 93, at, kind: "started", worker_id: worker },
        { id: 99, at, kind: "failed", worker_id: worker, detail: "The speech model gave no answer." }
      ]
    } satisfies AgentTaskEvents,
    listAgentWorkers: {
      workers: [
        {
          id: worker,
          host: "worker-1",
          pid: 4121,
          build: "0.1.0",
          stages: ["render", "clip"],
          jobs: 2,
          state: "running",
          started_at: at,
          seen_at: at,
          tasks: [running]
        }
      ]
    } satisfies AgentWorkers,
    getAgentLive: {
      at,
      running: [running],
      lanes: [{ name: "media", at_once: 64, running: 1, waiting: 3, later: 0, oldest_due_at: at }],
      flows: { open: 4, failed: 1 }
    } satisfies AgentLive,
    listAgentMeetings: {
      total: 1,
      page: 1,
      page_size: 50,
      meetings: [
        {
          meeting: held,
          pipeline: "failed",
          flow_id: flow,
          stages: { fetch: "done", transcribe: "failed" },
          gaps: ["transcript"]
        }
      ]
    } satisfies AgentMeetings,
    getAgentGaps: {
      held: 61,
      gaps: [{ gap: "transcript", stage: "transcribe", meetings: 1, in_work: 0, newest: [held.id] }]
    } satisfies AgentGaps,
    getAgentMeeting: {
      meeting: held,
      gaps: ["transcript"],
      flows: [
        {
          id: flow,
          kind: "meeting",
          state: "failed",
          created_at: at,
          ended_at: "2026-03-12T08:17:30.000Z",
          tasks: [{ task: failed, events: [{ id: 99, at, kind: "failed", worker_id: worker }] }]
        }
      ],
      parts: [{ part: "briefing", generator: "a-model", state: "pending", count: 1 }],
      media: [{ key: `meetings/${held.id}/agenda.pdf`, role: "agenda", media_type: "application/pdf", bytes: 48_213 }],
      versions: [
        {
          ...{ part: "agenda", address: "https://springfield.example.gov/agenda.pdf", bytes: 48_213 },
          ...{
            digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            fetched_at: at,
            replaced_at: at
          }
        }
      ],
      source: { id: sourceId, source_body: "City Council", external_id: "812", date: held.date, seen_at: at },
      costs: usage
    } satisfies AgentMeeting,
    getAgentCosts: {
      group: "stage",
      since: "2025-12-12T08:15:00.000Z",
      total: usage,
      groups: [{ key: "briefing", ...usage }]
    } satisfies AgentCosts,
    listAgentSources: { total: 1, page: 1, page_size: 50, sources: [source] } satisfies AgentSources,
    listAgentAgencies: agencies,
    listAgentPlaces: places,
    ...settingExamples(at, usage),
    getCompletionRun: completion,
    importDiscovered: accepted("import", { ...ready, stage: "detect", lane: "local", meeting_id: held.id }),
    mergeDiscoveredBody: accepted("same-body", crawl),
    rerunStage: accepted("rerun", { ...ready, stage: "briefing", lane: "model", meeting_id: held.id }),
    retryTask: accepted("retry", { ...ready, stage: "transcribe", lane: "speech", meeting_id: held.id }),
    updateSourceBodies: accepted("bodies", crawl),
    reassignMeeting: accepted("reassign", { ...ready, stage: "publish", lane: "local", meeting_id: held.id }),
    fileCandidates: accepted("candidates", { ...ready, flow_kind: "probe", stage: "probe", lane: "web", run_id: run })
  }
}

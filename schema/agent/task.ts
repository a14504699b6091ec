import { Schema } from "effect"
import { Count, Instant, MeetingId } from "../primitives.ts"

const id = Schema.String.check(Schema.isUUID())

/** One stage of work on one subject, as operators see it. */
export const AgentTask = Schema.Struct({
  id: id.annotate({ description: "The task's id." }),
  flow_id: id.annotate({ description: "What the task is part of: everything to be done for one subject." }),
  flow_kind: Schema.String.annotate({ examples: ["meeting"] }),
  stage: Schema.String.annotate({ examples: ["transcribe"] }),
  lane: Schema.String.annotate({ description: "What the task draws on, whose limit it counts against." }),
  state: Schema.Literals(["blocked", "waiting", "running", "done", "failed", "cancelled"]),
  attempts: Count,
  progress: Schema.Finite.annotate({ description: "From 0 to 1." }),
  due_at: Instant,
  started_at: Schema.optionalKey(Instant),
  ended_at: Schema.optionalKey(Instant),
  failure: Schema.optionalKey(
    Schema.String.annotate({ description: "Why its last try failed, or what it waits for." })
  ),
  reason: Schema.optionalKey(
    Schema.String.annotate({
      description: "Why a task that is due does not run, or that a task was done without its model, and why."
    })
  ),
  worker_id: Schema.optionalKey(id),
  meeting_id: Schema.optionalKey(MeetingId),
  source_id: Schema.optionalKey(id),
  run_id: Schema.optionalKey(id),
  about: Schema.optionalKey(
    Schema.String.annotate({
      description: "The meeting, source or place that it is about, as people call it.",
      examples: ["Regular Meeting, Springfield City Council, 2026-03-10"]
    })
  )
}).annotate({ identifier: "AgentTask", description: "One stage of work on one subject." })
export interface AgentTask extends Schema.Schema.Type<typeof AgentTask> {}

/** `taken_over`: its worker fell silent; `given_back`: its worker stopped. */
export const AgentTaskEvent = Schema.Struct({
  id: Count,
  at: Instant,
  kind: Schema.String.annotate({ examples: ["started"] }),
  worker_id: Schema.optionalKey(id),
  detail: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "AgentTaskEvent", description: "Something that happened to a task." })
export interface AgentTaskEvent extends Schema.Schema.Type<typeof AgentTaskEvent> {}

export const AgentTaskEvents = Schema.Struct({
  task: AgentTask,
  events: Schema.Array(AgentTaskEvent)
}).annotate({ identifier: "AgentTaskEvents", description: "A task and everything that happened to it, oldest first." })
export interface AgentTaskEvents extends Schema.Schema.Type<typeof AgentTaskEvents> {}

export const AgentWorkers = Schema.Struct({
  workers: Schema.Array(
    Schema.Struct({
      id,
      host: Schema.String,
      pid: Schema.Int,
      build: Schema.String,
      stages: Schema.Array(Schema.String).annotate({ description: "The stages that its build can do." }),
      jobs: Count.annotate({ description: "How many tasks it does at a time, at most." }),
      state: Schema.Literals(["running", "stopped", "silent"]),
      started_at: Instant,
      seen_at: Instant,
      ended_at: Schema.optionalKey(Instant),
      tasks: Schema.Array(AgentTask).annotate({ description: "The tasks that it is running." })
    })
  )
}).annotate({
  identifier: "AgentWorkers",
  description: "The processes that do tasks: running ones first, then those that ended in the last 30 days."
})
export interface AgentWorkers extends Schema.Schema.Type<typeof AgentWorkers> {}

export const AgentLive = Schema.Struct({
  at: Instant,
  running: Schema.Array(AgentTask),
  lanes: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      at_once: Count.annotate({ description: "How many of its tasks may run at a time on all machines; 0 pauses it." }),
      running: Count,
      waiting: Count.annotate({ description: "Tasks that are due." }),
      later: Count.annotate({ description: "Tasks that wait for their next try." }),
      oldest_due_at: Schema.optionalKey(Instant)
    })
  ),
  flows: Schema.Struct({ open: Count, failed: Count }).annotate({
    description: "Flows that are under way, and flows that failed and have not been retried."
  })
}).annotate({ identifier: "AgentLive", description: "What is being worked on right now." })
export interface AgentLive extends Schema.Schema.Type<typeof AgentLive> {}

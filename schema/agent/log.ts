import { Schema } from "effect"
import { parameter, repeatable, shortText, wholeNumber } from "../browse-query.ts"
import { Count, Instant } from "../primitives.ts"

export const pipelineLogLevels = ["trace", "debug", "info", "warn", "error", "fatal"] as const

/** The id of a log line. */
const logId = wholeNumber(0, Number.MAX_SAFE_INTEGER)

/** One level or several, joined by commas. */
const levels = Schema.String.check(
  Schema.isPattern(new RegExp(`^(${pipelineLogLevels.join("|")})(,(${pipelineLogLevels.join("|")}))*$`, "u"), {
    message: `must be of ${pipelineLogLevels.join(", ")}`
  })
)
const anId = Schema.String.check(Schema.isUUID())

/** Parameters of `GET /api/agent/logs`. */
export const AgentLogQuery = {
  sources: repeatable(
    shortText,
    "Only lines of these sources: `worker` or a stage. May be joined by commas.",
    "transcribe"
  ),
  levels: repeatable(levels, "Only lines of these levels. May be joined by commas.", "error"),
  worker_id: parameter(anId, "Only lines of this worker.", "0199d3f0-0000-7000-8000-000000000001"),
  meeting_id: parameter(anId, "Only lines about this meeting.", "3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90"),
  task_id: parameter(anId, "Only lines about this task.", "0199d3f0-0000-7000-8000-000000000002"),
  q: parameter(shortText, "Only lines whose message contains this text, in either case.", "timed out"),
  before: parameter(logId, "Only lines before the line with this id, for reading backward.", 1200),
  after: parameter(logId, "Only lines after the line with this id, for following the log.", 1180),
  limit: parameter(wholeNumber(1, 1000), "Lines per response: 100 by default, at most 1000.", 100)
}

export const AgentLogs = Schema.Struct({
  lines: Schema.Array(
    Schema.Struct({
      id: Count,
      at: Instant,
      source: Schema.String,
      level: Schema.Literals(pipelineLogLevels),
      worker_id: Schema.optionalKey(Schema.String),
      meeting_id: Schema.optionalKey(Schema.String),
      task_id: Schema.optionalKey(Schema.String),
      message: Schema.String,
      fields: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))
    })
  ),
  before: Schema.optionalKey(Count.annotate({ description: "Send it as `before` to read the lines before these." })),
  after: Count.annotate({ description: "Send it as `after` to read the lines that come next." })
}).annotate({
  identifier: "AgentLogs",
  description: "Lines of the pipeline's log, oldest first. Following `after` neither skips nor repeats a line."
})
export interface AgentLogs extends Schema.Schema.Type<typeof AgentLogs> {}

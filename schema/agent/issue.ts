import { Schema } from "effect"
import { Count, Instant } from "../primitives.ts"

const issueSeverities = ["error", "warning", "notice"] as const

export const AgentIssue = Schema.Struct({
  kind: Schema.String.annotate({ examples: ["task_failed"] }),
  severity: Schema.Literals(issueSeverities),
  since: Instant,
  subject: Schema.Struct({
    type: Schema.String.annotate({ examples: ["task"] }),
    id: Schema.String,
    name: Schema.optionalKey(Schema.String.annotate({ description: "As people call it." }))
  }).annotate({ description: "What has the problem." }),
  message: Schema.String,
  cause: Schema.optionalKey(Schema.String.annotate({ description: "Why, in a sentence, if it is known." })),
  task_id: Schema.optionalKey(
    Schema.String.annotate({ description: "The task that is retried or done again to mend it, if there is one." })
  ),
  link: Schema.optionalKey(
    Schema.String.annotate({
      description: "The public page that it is about, at the second.",
      examples: ["https://record.example.gov/in/springfield/city-council/2026-03-10-3f2b8c1e?t=1921"]
    })
  ),
  next_step: Schema.String.annotate({ description: "What to do: a command to run or an address to request." })
}).annotate({ identifier: "AgentIssue", description: "Something that an operator should look at." })
export interface AgentIssue extends Schema.Schema.Type<typeof AgentIssue> {}

export const AgentIssues = Schema.Struct({
  at: Instant,
  total: Count,
  issues: Schema.Array(AgentIssue).annotate({ description: "At most 200; errors first, then the longest standing." })
}).annotate({
  identifier: "AgentIssues",
  description: "What needs an operator, worked out from the state as it is now."
})
export interface AgentIssues extends Schema.Schema.Type<typeof AgentIssues> {}

export const AgentIndex = Schema.Struct({
  machine: Schema.String.annotate({ description: "The machine that the token was minted for." }),
  run_id: Schema.optionalKey(
    Schema.String.annotate({ description: "The completion run that the token may change; without one it only reads." })
  ),
  build: Schema.String,
  issues: Schema.Struct({ error: Count, warning: Count, notice: Count }),
  start_here: Schema.Array(Schema.Struct({ href: Schema.String, title: Schema.String }))
}).annotate({ identifier: "AgentIndex", description: "Who you are here, how things stand, and where to go on." })
export interface AgentIndex extends Schema.Schema.Type<typeof AgentIndex> {}

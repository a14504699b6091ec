import { Schema } from "effect"
import { Count, Instant } from "../primitives.ts"

const Value = Schema.Union([Schema.Boolean, Schema.Finite, Schema.String])

export const AgentSettings = Schema.Struct({
  family: Schema.String.annotate({ examples: ["pipeline"] }),
  settings: Schema.Array(
    Schema.Struct({
      name: Schema.String.annotate({ examples: ["pipeline.ClaimCheck"] }),
      type: Schema.Literals(["boolean", "integer", "text", "secret"]),
      value: Schema.optionalKey(Value.annotate({ description: "Absent if there is none, and for secrets always." })),
      secret: Schema.optionalKey(Schema.Literals(["set", "unset"])),
      initial: Schema.optionalKey(Value),
      from: Schema.Literals(["default", "setting", "environment"]).annotate({
        description: "Where the value comes from. What the environment sets is changed there, followed by a restart."
      }),
      about: Schema.String,
      changed_at: Schema.optionalKey(Instant)
    })
  ),
  history: Schema.Array(
    Schema.Struct({
      id: Count,
      at: Instant,
      name: Schema.String,
      before: Schema.optionalKey(Value),
      after: Value,
      changed_by: Schema.String
    })
  ).annotate({ description: "The last 100 changes, newest first." })
}).annotate({ identifier: "AgentSettings", description: "The settings of one family, with their history." })
export interface AgentSettings extends Schema.Schema.Type<typeof AgentSettings> {}

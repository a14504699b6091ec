import { Schema } from "effect"
import { parameter } from "../browse-query.ts"
import { Count, Instant } from "../primitives.ts"
import { usageFields } from "./meeting.ts"

export const costGroups = ["day", "model", "stage", "provider", "meeting"] as const

/** Parameters of `GET /api/agent/costs`. */
export const AgentCostQuery = {
  group: parameter(Schema.Literals(costGroups), "What the costs are summed by; `day` by default.", "stage")
}

export const AgentCosts = Schema.Struct({
  group: Schema.Literals(costGroups),
  since: Instant.annotate({ description: "Costs are those of the last 90 days." }),
  total: Schema.Struct(usageFields),
  groups: Schema.Array(Schema.Struct({ key: Schema.String, ...usageFields })).annotate({
    description:
      "Days newest first, everything else most expensive first; at most 500. The key `unknown` holds the calls that no group is known for."
  })
}).annotate({ identifier: "AgentCosts", description: "What calls of models cost." })
export interface AgentCosts extends Schema.Schema.Type<typeof AgentCosts> {}

export const AgentModels = Schema.Struct({
  models: Schema.Array(
    Schema.Struct({
      purpose: Schema.Literals(["language", "check", "embedding", "speech"]),
      configured: Schema.Boolean,
      name: Schema.optionalKey(Schema.String),
      provider: Schema.optionalKey(
        Schema.String.annotate({ description: "The host of its endpoint, or `this machine`." })
      ),
      key: Schema.Literals(["set", "unset"]),
      today: Schema.Struct(usageFields),
      last_30_days: Schema.Struct(usageFields)
    })
  ),
  budget: Schema.Struct({
    daily_micros: Count.annotate({ description: "In millionths of a US dollar; 0 is no limit." }),
    spent_today_micros: Count
  })
}).annotate({
  identifier: "AgentModels",
  description: "The models that this deployment is configured for, and their use."
})
export interface AgentModels extends Schema.Schema.Type<typeof AgentModels> {}

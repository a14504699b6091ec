import { Schema } from "effect"
import { Instant, Seconds } from "./primitives.ts"

export const Version = Schema.Struct({
  build: Schema.String.annotate({ examples: ["0.1.0"] }),
  commit: Schema.optionalKey(Schema.String),
  started_at: Instant
}).annotate({ identifier: "Version", description: "The build that is running." })
export interface Version extends Schema.Schema.Type<typeof Version> {}

export const HealthReport = Schema.Struct({
  status: Schema.Literal("ok"),
  database: Schema.Literal("ok"),
  replica: Schema.optionalKey(
    Schema.Literals(["ok", "behind", "away"]).annotate({
      description:
        "Whether the replica answers, keeps up and has what was published last, where one is configured. While it does not, reads go to the primary."
    })
  ),
  replica_behind: Schema.optionalKey(
    Seconds.annotate({
      description:
        "The replica has everything that was committed longer ago than this, in seconds. What was published later is read from the primary."
    })
  ),
  database_restarted_at: Schema.optionalKey(
    Instant.annotate({
      description: "When the embedded PostgreSQL was last brought back after it had stopped by itself."
    })
  )
}).annotate({ identifier: "Health", description: "Everything responds." })
export interface HealthReport extends Schema.Schema.Type<typeof HealthReport> {}

export const ApiIndex = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  specification: Schema.String.annotate({ description: "The OpenAPI document." }),
  documentation: Schema.String,
  start_here: Schema.Array(Schema.Struct({ href: Schema.String, title: Schema.String }))
}).annotate({
  identifier: "ApiIndex",
  description: "Links to the specification, the documentation and the endpoints to start with."
})
export interface ApiIndex extends Schema.Schema.Type<typeof ApiIndex> {}

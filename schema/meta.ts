import { Schema } from "effect"
import { Instant } from "./primitives.ts"

export const Version = Schema.Struct({
  build: Schema.String.annotate({ examples: ["0.1.0"] }),
  commit: Schema.optionalKey(Schema.String),
  started_at: Instant
}).annotate({ identifier: "Version" })
export interface Version extends Schema.Schema.Type<typeof Version> {}

export const Health = Schema.Struct({
  status: Schema.Literal("ok"),
  database: Schema.Literal("ok"),
  replica: Schema.optionalKey(
    Schema.Literals(["ok", "away"]).annotate({
      description: "Whether the replica answers, where one is configured. While it is away, reads go to the primary."
    })
  ),
  database_restarted_at: Schema.optionalKey(
    Instant.annotate({
      description: "When the embedded PostgreSQL was last brought back after it had stopped by itself."
    })
  )
}).annotate({ identifier: "Health" })
export interface Health extends Schema.Schema.Type<typeof Health> {}

export const ApiIndex = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  specification: Schema.String.annotate({ description: "The OpenAPI document." }),
  documentation: Schema.String,
  start_here: Schema.Array(Schema.Struct({ href: Schema.String, title: Schema.String }))
}).annotate({
  identifier: "ApiIndex",
  description: "Pointers to the specification, the prose and the starting endpoints."
})
export interface ApiIndex extends Schema.Schema.Type<typeof ApiIndex> {}

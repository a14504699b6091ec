/**
 * A worker as a separate process, which does nothing well: `node tiny-worker.ts`, with the database in DATABASE_URL.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Logger, Redacted } from "effect"
import { Db } from "../../layers/db/db.ts"
import { runWorker } from "../../src/pipeline/worker.ts"
import { laneNames } from "../../src/services/queue/stages.ts"
import { Engine, tinyHandlers } from "./tiny-pipeline.ts"

const jobs = 8

Effect.flatMap(tinyHandlers, (handlers) =>
  runWorker(handlers, { jobs, lanes: new Map(laneNames.map((lane) => [lane, jobs])) })
).pipe(
  Effect.provide(Engine),
  Effect.provide(Db.layerUrl(Redacted.make(process.env.DATABASE_URL ?? ""))),
  Effect.provide(Logger.layer([])),
  NodeRuntime.runMain
)

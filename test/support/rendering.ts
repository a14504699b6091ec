import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Layer, Logger, Schedule } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { PipelineLive } from "../../src/pipeline/pipeline.ts"

/** A folder that is removed with the scope. */
export const scratch = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-rendering-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

/** Real ffmpeg, found as the service finds it. */
export const TestRenderer = Renderer.layer.pipe(
  Layer.provide(Layer.effect(Environment, readEnvironment({ PATH: process.env.PATH })))
)

/** A worker with real ffmpeg, for a service under test. */
export const TestWorker = PipelineLive({ jobs: 1, lanes: new Map([["media", 1]]) }).pipe(
  Layer.provide([
    TestRenderer,
    Layer.effect(
      Environment,
      Effect.flatMap(scratch, (folder) => readEnvironment({ DATA_DIR: folder }))
    )
  ]),
  Layer.provide(Logger.layer([]))
)

/** Repeats until there is a result; a test that waits in vain ends by its own time limit. */
export const eventually = <A, E, R>(look: Effect.Effect<A | undefined, E, R>) =>
  look.pipe(
    Effect.repeat({ while: (found) => found === undefined, schedule: Schedule.spaced("100 millis") }),
    Effect.flatMap((found) => (found === undefined ? Effect.never : Effect.succeed(found)))
  )

import { Effect, Layer } from "effect"
import { ClipRenders } from "../services/clips/clip-renders.ts"
import { Flows } from "../services/operations/flows.ts"
import { PipelineLog } from "../services/operations/pipeline-log.ts"
import { Retention } from "../services/operations/retention.ts"
import { Tasks } from "../services/operations/tasks.ts"
import { Workers } from "../services/operations/workers.ts"
import { clipStage } from "./clip.ts"
import type { StageHandlers } from "./stage.ts"
import { runWorker, type WorkerOptions } from "./worker.ts"
import { WorkerLogLive } from "./worker-log.ts"

/** Every stage that this build can do. */
const handlers = Effect.gen(function* () {
  return { clip: yield* clipStage } satisfies StageHandlers
})

const Services = Layer.mergeAll(ClipRenders.layer, Flows.layer, Retention.layer, Tasks.layer, Workers.layer)

/** Does the pipeline's tasks for as long as it runs. */
export const runPipeline = (options: WorkerOptions) =>
  Effect.flatMap(handlers, (known) => runWorker(known, options)).pipe(
    Effect.scoped,
    Effect.provide(Services.pipe(Layer.provideMerge(WorkerLogLive), Layer.provideMerge(PipelineLog.layer)))
  )

/** The same beside whatever else the process does. */
export const PipelineLive = (options: WorkerOptions) => Layer.effectDiscard(Effect.forkScoped(runPipeline(options)))

import { Cause, Effect, Layer, Schedule } from "effect"
import { ClipRenders } from "../services/clips/clip-renders.ts"
import { Discoveries } from "../services/completion/discoveries.ts"
import { announceStale } from "../services/feed/stale-meetings.ts"
import { ClaimChecks } from "../services/operations/claim-checks.ts"
import { Crawls } from "../services/operations/crawls.ts"
import { Flows } from "../services/operations/flows.ts"
import { MeetingRenders } from "../services/operations/meeting-renders.ts"
import { CloudModelLive } from "../services/operations/model-accounts.ts"
import { ModelBudget } from "../services/operations/model-budget.ts"
import { PipelineLog } from "../services/operations/pipeline-log.ts"
import { Refinements } from "../services/operations/refinements.ts"
import { Retention } from "../services/operations/retention.ts"
import { Settings } from "../services/operations/settings.ts"
import { Tasks } from "../services/operations/tasks.ts"
import { Workers } from "../services/operations/workers.ts"
import { clipStage } from "./clip.ts"
import { crawlStage } from "./crawl.ts"
import { detectStage } from "./detect.ts"
import { fetchStage } from "./fetch.ts"
import { refineStage } from "./refine.ts"
import { renderStage } from "./render.ts"
import type { StageHandlers } from "./stage.ts"
import { verifyStage } from "./verify.ts"
import { PoliteWeb } from "./web/polite-web.ts"
import { runWorker, type WorkerOptions } from "./worker.ts"
import { WorkerLogLive } from "./worker-log.ts"

/** Every stage that this build can do. */
const handlers = Effect.gen(function* () {
  return {
    crawl: yield* crawlStage,
    detect: yield* detectStage,
    fetch: yield* fetchStage,
    render: yield* renderStage,
    refine: yield* refineStage,
    verify: yield* verifyStage,
    clip: yield* clipStage
  } satisfies StageHandlers
})

const Services = Layer.mergeAll(
  ClaimChecks.layer,
  CloudModelLive,
  ModelBudget.layer.pipe(Layer.provide(Settings.layer)),
  ClipRenders.layer,
  Crawls.layer,
  Discoveries.layer,
  Flows.layer,
  MeetingRenders.layer,
  PoliteWeb.layer,
  Refinements.layer,
  Retention.layer,
  Tasks.layer,
  Workers.layer
)

/** What a command that was killed has left to be indexed and announced: at the start, and every minute. */
const announceLeftovers = announceStale.pipe(
  Effect.catchCause((cause) => Effect.logWarning("Changed meetings could not be announced", Cause.squash(cause))),
  Effect.repeat(Schedule.spaced("1 minute"))
)

/** Adds the crawls that are due, four times a minute; any number of processes may. */
const addDueCrawls = Crawls.use(({ addDue }) => addDue).pipe(
  Effect.withTracerEnabled(false),
  Effect.catchCause((cause) => Effect.logWarning("The crawls that are due could not be added", Cause.squash(cause))),
  Effect.repeat(Schedule.spaced("15 seconds"))
)

/** Does the pipeline's tasks for as long as it runs, and finishes what commands that were killed have left. */
export const runPipeline = (options: WorkerOptions) =>
  Effect.gen(function* () {
    yield* Effect.forkScoped(announceLeftovers)
    yield* Effect.forkScoped(addDueCrawls)
    return yield* runWorker(yield* handlers, options)
  }).pipe(
    Effect.scoped,
    Effect.provide(Services.pipe(Layer.provideMerge(WorkerLogLive), Layer.provideMerge(PipelineLog.layer)))
  )

/** The same beside whatever else the process does. */
export const PipelineLive = (options: WorkerOptions) => Layer.effectDiscard(Effect.forkScoped(runPipeline(options)))

import { Cause, Effect, Layer, Schedule } from "effect"
import { Signer } from "../../layers/signer.ts"
import { ClipRenders } from "../services/clips/clip-renders.ts"
import { Discoveries } from "../services/completion/discoveries.ts"
import { announceStale } from "../services/feed/stale-meetings.ts"
import { ClaimChecks } from "../services/operations/claim-checks.ts"
import { Crawls } from "../services/operations/crawls.ts"
import { Drills } from "../services/operations/drills.ts"
import { Flows } from "../services/operations/flows.ts"
import { MeetingMaterials } from "../services/operations/meeting-materials.ts"
import { MeetingRenders } from "../services/operations/meeting-renders.ts"
import { PipelineModelsLive } from "../services/operations/model-accounts.ts"
import { ModelBudget } from "../services/operations/model-budget.ts"
import { PipelineLog } from "../services/operations/pipeline-log.ts"
import { Retention } from "../services/operations/retention.ts"
import { Settings } from "../services/operations/settings.ts"
import { StagePieces } from "../services/operations/stage-pieces.ts"
import { Tasks } from "../services/operations/tasks.ts"
import { Workers } from "../services/operations/workers.ts"
import { agendaStage } from "./agenda.ts"
import { Asking } from "./asking.ts"
import { briefingStage } from "./briefing.ts"
import { chaptersStage } from "./chapters.ts"
import { clipStage } from "./clip.ts"
import { clipsStage } from "./clips.ts"
import { crawlStage } from "./crawl.ts"
import { detectStage } from "./detect.ts"
import { fetchStage } from "./fetch.ts"
import { figuresStage } from "./figures.ts"
import { mailStage } from "./mail.ts"
import { publishStage } from "./publish.ts"
import { recapStage } from "./recap.ts"
import { refineStage } from "./refine.ts"
import { renderStage } from "./render.ts"
import type { StageHandlers } from "./stage.ts"
import { transcribeStage } from "./transcribe.ts"
import { verifyStage } from "./verify.ts"
import { PoliteWeb } from "./web/polite-web.ts"
import { runWorker, type WorkerOptions } from "./worker.ts"
import { WorkerLogLive } from "./worker-log.ts"

/** Every stage that this build can do. */
export const handlers = Effect.gen(function* () {
  return {
    crawl: yield* crawlStage,
    detect: yield* detectStage,
    fetch: yield* fetchStage,
    render: yield* renderStage,
    transcribe: yield* transcribeStage,
    refine: yield* refineStage,
    agenda: yield* agendaStage,
    chapters: yield* chaptersStage,
    briefing: yield* briefingStage,
    verify: yield* verifyStage,
    clips: yield* clipsStage,
    figures: yield* figuresStage,
    recap: yield* recapStage,
    publish: yield* publishStage,
    mail: yield* mailStage,
    clip: yield* clipStage
  } satisfies StageHandlers
})

/** Everything that the stages and their worker need except databases, the object store, ffmpeg and external services. */
export const StageServices = Layer.mergeAll(
  ClaimChecks.layer,
  ClipRenders.layer,
  Crawls.layer,
  Discoveries.layer,
  Flows.layer,
  MeetingRenders.layer,
  Retention.layer,
  Tasks.layer,
  Workers.layer,
  Asking.layer
).pipe(Layer.provideMerge(Layer.mergeAll(MeetingMaterials.layer, Settings.layer, StagePieces.layer)))

/** The same with the models, their budget and access to external servers. */
export const PipelineServices = StageServices.pipe(
  Layer.provideMerge(
    Layer.mergeAll(Layer.provide(ModelBudget.layer, Settings.layer), PipelineModelsLive, PoliteWeb.layer)
  )
)

/** Indexes and announces what a killed command left unfinished, at startup and then every minute. */
const announceLeftovers = announceStale.pipe(
  Effect.catchCause((cause) => Effect.logWarning("Changed meetings could not be announced", Cause.squash(cause))),
  Effect.repeat(Schedule.spaced("1 minute"))
)

/** Cleans up after killed drills every minute. */
const sweepDrills = Drills.use(({ sweep }) => sweep).pipe(
  Effect.withTracerEnabled(false),
  Effect.catchCause((cause) => Effect.logWarning("What a drill has left could not be removed", Cause.squash(cause))),
  Effect.repeat(Schedule.spaced("1 minute"))
)

/** Adds the crawls that are due, four times a minute; any number of processes can do so concurrently. */
const addDueCrawls = Crawls.use(({ addDue }) => addDue).pipe(
  Effect.withTracerEnabled(false),
  Effect.catchCause((cause) => Effect.logWarning("The crawls that are due could not be added", Cause.squash(cause))),
  Effect.repeat(Schedule.spaced("15 seconds"))
)

/** Runs the pipeline's tasks, and finishes what killed commands left behind. */
export const runPipeline = (options: WorkerOptions) =>
  Effect.gen(function* () {
    yield* Effect.forkScoped(announceLeftovers)
    yield* Effect.forkScoped(addDueCrawls)
    yield* Effect.forkScoped(sweepDrills)
    return yield* runWorker(yield* handlers, options)
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.provide(Drills.layer, Signer.layer)),
    Effect.provide(PipelineServices.pipe(Layer.provideMerge(WorkerLogLive), Layer.provideMerge(PipelineLog.layer)))
  )

/** The same in the background of a process that does other work. */
export const PipelineLive = (options: WorkerOptions) => Layer.effectDiscard(Effect.forkScoped(runPipeline(options)))

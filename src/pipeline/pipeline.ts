import { Cause, Effect, Layer, Schedule } from "effect"
import { Db } from "../../layers/db/db.ts"
import { Signer } from "../../layers/signer/signer.ts"
import { ClipRenders } from "../services/clips/clip-renders.ts"
import { announceStale } from "../services/feed/stale-meetings.ts"
import { ClaimChecks } from "../services/making/claim-checks.ts"
import { MadeAgain } from "../services/making/made-again.ts"
import { MeetingMaterials } from "../services/making/meeting-materials.ts"
import { MeetingRenders } from "../services/making/meeting-renders.ts"
import { PipelineModelsLive } from "../services/making/model-accounts.ts"
import { ModelBudget } from "../services/making/model-budget.ts"
import { ReceivedRecordings } from "../services/making/received-recordings.ts"
import { Drills } from "../services/operators/drills.ts"
import { Retention } from "../services/operators/retention.ts"
import { Flows } from "../services/queue/flows.ts"
import { PipelineLog } from "../services/queue/pipeline-log.ts"
import { StagePieces } from "../services/queue/stage-pieces.ts"
import { Tasks } from "../services/queue/tasks.ts"
import { Workers } from "../services/queue/workers.ts"
import { mineNeighbors } from "../services/search/corrections/neighbors.ts"
import { Embeddings } from "../services/search/meaning/embeddings.ts"
import { Settings } from "../services/settings/settings.ts"
import { Candidates } from "../services/sources/candidates.ts"
import { Crawls } from "../services/sources/crawls.ts"
import { Discoveries } from "../services/sources/discoveries.ts"
import { DueDocuments } from "../services/sources/due-documents.ts"
import { FetchedParts } from "../services/sources/fetched-parts.ts"
import { SourcePast } from "../services/sources/source-past.ts"
import { Asking } from "./asking.ts"
import { VendorsLive } from "./sources/readers.ts"
import type { StageHandlers } from "./stage.ts"
import { agendaStage } from "./stages/agenda/agenda.ts"
import { briefingStage } from "./stages/briefing/briefing.ts"
import { chaptersStage } from "./stages/chapters/chapters.ts"
import { clipStage } from "./stages/clip/clip.ts"
import { clipsStage } from "./stages/clips/clips.ts"
import { crawlStage } from "./stages/crawl/crawl.ts"
import { detectStage } from "./stages/detect/detect.ts"
import { documentsStage } from "./stages/documents/documents.ts"
import { fetchStage } from "./stages/fetch/fetch.ts"
import { figuresStage } from "./stages/figures/figures.ts"
import { historyStage } from "./stages/history/history.ts"
import { mailStage } from "./stages/mail/mail.ts"
import { probeStage } from "./stages/probe/probe.ts"
import { publishStage } from "./stages/publish/publish.ts"
import { recapStage } from "./stages/recap/recap.ts"
import { receiveStage } from "./stages/receive/receive.ts"
import { refineStage } from "./stages/refine/refine.ts"
import { renderStage } from "./stages/render/render.ts"
import { transcribeStage } from "./stages/transcribe/transcribe.ts"
import { verifyStage } from "./stages/verify/verify.ts"
import { PoliteWeb } from "./web/polite-web.ts"
import { runWorker, type WorkerOptions } from "./worker.ts"
import { WorkerLogLive } from "./worker-log.ts"

/** The handlers of all stages. */
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
    history: yield* historyStage,
    receive: yield* receiveStage,
    documents: yield* documentsStage,
    clip: yield* clipStage,
    probe: yield* probeStage
  } satisfies Required<StageHandlers>
})

/**
 * Everything that the stages and their worker need except databases, the object store, ffmpeg and external services.
 */
export const StageServices = Layer.mergeAll(
  Candidates.layer,
  ClaimChecks.layer,
  ClipRenders.layer,
  Crawls.layer,
  Discoveries.layer,
  DueDocuments.layer,
  FetchedParts.layer,
  Flows.layer,
  MeetingRenders.layer,
  SourcePast.layer,
  Layer.provide(ReceivedRecordings.layer, Flows.layer),
  Retention.layer,
  Tasks.layer,
  Workers.layer,
  Asking.layer
).pipe(Layer.provideMerge(Layer.mergeAll(MeetingMaterials.layer, Settings.layer, StagePieces.layer)))

/** The same with the models, their budget and access to external servers. */
export const PipelineServices = StageServices.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Layer.provide(ModelBudget.layer, Settings.layer),
      PipelineModelsLive,
      Layer.provide(PoliteWeb.layer, VendorsLive)
    )
  )
)

/** Indexes and announces changes that killed commands left unfinished, at startup and then every minute. */
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

/** Goes on once a minute with what waits for a model, or was made without it. */
const makeAgain = MadeAgain.use(({ wake, next }) => Effect.andThen(wake, next)).pipe(
  Effect.withTracerEnabled(false),
  Effect.catchCause((cause) => Effect.logWarning("What waits for a model was not woken", Cause.squash(cause))),
  Effect.repeat(Schedule.spaced("1 minute"))
)

/** Makes vectors of what meetings are about while there is money for it, and looks for more every minute. */
const embedAll = Effect.gen(function* () {
  const { next } = yield* Embeddings
  const { check } = yield* ModelBudget
  yield* Effect.andThen(check, next).pipe(
    Effect.repeat({ until: (count) => count === 0 }),
    Effect.withTracerEnabled(false),
    Effect.catchCause((cause) => Effect.logWarning("Meetings could not be embedded", Cause.squash(cause))),
    Effect.repeat(Schedule.spaced("1 minute"))
  )
})

/** Mines which words are said in the same company, once a week. */
const mineWords = Effect.flatMap(Db, mineNeighbors).pipe(
  Effect.withTracerEnabled(false),
  Effect.catchCause((cause) => Effect.logWarning("Words could not be compared", Cause.squash(cause))),
  Effect.repeat(Schedule.spaced("1 hour"))
)

/** Runs the pipeline's tasks, and finishes the work of killed commands. */
export const runPipeline = (options: WorkerOptions) =>
  Effect.gen(function* () {
    yield* Effect.forkScoped(announceLeftovers)
    yield* Effect.forkScoped(addDueCrawls)
    yield* Effect.forkScoped(sweepDrills)
    yield* Effect.forkScoped(makeAgain)
    yield* Effect.forkScoped(embedAll)
    yield* Effect.forkScoped(mineWords)
    return yield* runWorker(yield* handlers, options)
  }).pipe(
    Effect.scoped,
    Effect.provide([Layer.provide(Drills.layer, Signer.layer), MadeAgain.layer, Embeddings.layer]),
    Effect.provide(PipelineServices.pipe(Layer.provideMerge(WorkerLogLive), Layer.provideMerge(PipelineLog.layer)))
  )

/** The same in the background of another process. */
export const PipelineLive = (options: WorkerOptions) => Layer.effectDiscard(Effect.forkScoped(runPipeline(options)))

import * as path from "node:path"
import { Effect, Layer, Option, type Redacted, References, Schedule } from "effect"
import { CheckModelLive } from "../../layers/cloud-model/check-model.ts"
import { CloudModel, ModelUsage } from "../../layers/cloud-model/cloud-model.ts"
import { Environment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { migrate } from "../../layers/db/migrate.ts"
import { Mailer } from "../../layers/mailer.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { SpeechModel } from "../../layers/speech-model/speech-model.ts"
import { Web } from "../../layers/web.ts"
import { mediaSource } from "../http/media/hand-off.ts"
import { StageServices } from "../pipeline/pipeline.ts"
import { PoliteWeb } from "../pipeline/web/polite-web.ts"
import { Robots } from "../pipeline/web/robots.ts"
import { runWorker } from "../pipeline/worker.ts"
import { writeBatch } from "../record/write/batch.ts"
import { unchanged } from "../record/write/outcome.ts"
import { RemovedMedia } from "../services/clips/removed-media.ts"
import { Digests } from "../services/mail/digests.ts"
import { ModelAccounts } from "../services/making/model-accounts.ts"
import { ModelBudget } from "../services/making/model-budget.ts"
import { Briefings } from "../services/meetings/briefings.ts"
import { Summaries } from "../services/meetings/summaries.ts"
import { type DrilledTask, DrillRecord } from "../services/operators/drill-record.ts"
import { CurrentTask } from "../services/queue/current-task.ts"
import { ModelPatience } from "../services/queue/model-patience.ts"
import { PipelineLog } from "../services/queue/pipeline-log.ts"
import { laneNames } from "../services/queue/stages.ts"
import { Browse } from "../services/search/browse.ts"
import { SearchIndex } from "../services/search/search-index.ts"
import { Settings } from "../services/settings/settings.ts"
import { HostPace } from "../services/sources/host-pace.ts"
import { Sources } from "../services/sources/sources.ts"
import type { DrillTruth } from "./files.ts"
import { drillFollower, drillPlace } from "./script.ts"
import type { drillStages } from "./stages.ts"

/** A drill that takes longer than this is judged as it stands. */
const longestRun = "1 hour"
/** A task that is due later than this waits for something that a drill does not have. */
const soon = 900
/** A drill is about the models as they are now: one that fails is tried once more. */
const patience = { away: [5], unusable: [5], atMost: 3600 }
/** Seconds between two requests to the same host, which is this machine. */
const ownPace = 0.05

const jobs = 4

/** Whether the drill is at rest: waiting tasks are not due soon, and blocked ones depend on those or on failed ones. */
const isOver = (tasks: ReadonlyArray<DrilledTask>): boolean =>
  !tasks.some(({ state, due_in }) => state === "running" || (state === "waiting" && due_in < soon))

/**
 * The deployment's models, paid for from its budget. A drill's spending is booked under the stage `drill`, without a
 * meeting or task, because its tasks exist only in the drill's own database.
 */
const DeploymentModels = Layer.mergeAll(
  Layer.mergeAll(CloudModel.layerPatient, CheckModelLive, SpeechModel.layer).pipe(
    Layer.provide(
      Layer.effect(
        ModelUsage,
        Effect.map(ModelUsage, ({ begin }) => ({
          begin: (call) =>
            Effect.provideService(begin(call), CurrentTask, { id: null, stage: "drill", meetingId: null })
        }))
      ).pipe(Layer.provide(ModelAccounts))
    )
  ),
  Layer.provide(ModelBudget.layer, Settings.layer)
)

/** The services of a drill, in a folder of its own. */
const drillServices = Effect.fnUntraced(function* (database: Redacted.Redacted, origin: string, folder: string) {
  const environment = yield* Environment
  const models = yield* Layer.build(Layer.fresh(DeploymentModels))
  const own = Layer.succeed(Environment, {
    ...environment,
    dataDir: folder,
    databaseUrl: Option.some(database),
    databaseReplicaUrl: Option.none(),
    mediaUrl: Option.none(),
    mediaHandoff: "none",
    smtpUrl: Option.none(),
    redisUrl: Option.none()
  })
  const store = yield* mediaSource
  const web = PoliteWeb.layerNoDeps.pipe(
    Layer.provide([
      Web.layerDrill(store === undefined ? [origin] : [origin, store]),
      HostPace.layerEvery(ownPace),
      Robots.layerUnasked
    ])
  )
  return Layer.mergeAll(
    Layer.provideMerge(StageServices, RemovedMedia.layer),
    DrillRecord.layer,
    PipelineLog.layer,
    Sources.layer,
    Digests.layer
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(Browse.layer, Briefings.layer, Summaries.layer)),
    Layer.provide(SearchIndex.none),
    Layer.provideMerge(
      Layer.mergeAll(web, Mailer.layerOutbox(path.join(folder, "outbox"), environment.baseUrl), ObjectStore.layer)
    ),
    Layer.provideMerge(Layer.effectDiscard(migrate())),
    Layer.provideMerge(Layer.mergeAll(Db.layerUrl(database, Option.none(), { maxConnections: 8 }), own)),
    Layer.provideMerge(Layer.succeedContext(models)),
    // The deployment's own services were built with another database.
    Layer.fresh
  )
})

interface Rehearsal {
  readonly database: Redacted.Redacted
  /** Where the calendar is served. */
  readonly origin: string
  readonly scheduleUrl: string
  readonly folder: string
  readonly truth: DrillTruth
  /** The deployment's settings. */
  readonly settings: ReadonlyArray<{ readonly name: string; readonly value: unknown }>
  readonly stages: typeof drillStages
  readonly onProgress: (tasks: ReadonlyArray<DrilledTask>) => Effect.Effect<void>
}

/**
 * Carries the made-up meeting through every stage, from the crawl of its calendar to the mail of its recap, in a
 * database of its own; then inspects the results with `look`.
 */
export const rehearse = Effect.fn("Drill.rehearse")(function* <A, E, R>(
  { database, origin, scheduleUrl, folder, truth, settings, stages, onProgress }: Rehearsal,
  look: Effect.Effect<A, E, R>
) {
  const services = yield* drillServices(database, origin, folder)
  return yield* Effect.gen(function* () {
    const record = yield* DrillRecord
    const sources = yield* Sources
    yield* writeBatch([drillPlace], () => Effect.succeed(unchanged))
    yield* record.prepare(settings, { email: drillFollower, place: drillPlace.slug })
    const everySeconds = 24 * 3600
    const source = yield* sources.add({ kind: "json", url: scheduleUrl, place: drillPlace.slug, everySeconds })
    yield* sources.crawl(source)
    const worker = runWorker(yield* stages(truth), { jobs, lanes: new Map(laneNames.map((lane) => [lane, jobs])) })
    const watched = record.tasks.pipe(
      Effect.tap(onProgress),
      Effect.repeat({ until: isOver, schedule: Schedule.spaced("500 millis") }),
      Effect.timeoutOption(longestRun)
    )
    yield* Effect.raceFirst(watched, worker)
    yield* Digests.use(({ plan, deliver }) => Effect.andThen(plan, deliver))
    return yield* look
    // A service logs each finished task; here the report says it.
  }).pipe(
    Effect.provide(services),
    Effect.provideService(ModelPatience, patience),
    Effect.provideService(References.MinimumLogLevel, "Warn")
  )
}, Effect.scoped)

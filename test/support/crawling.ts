import { Effect, Layer, Logger } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { SpeechModel } from "../../layers/speech-model/speech-model.ts"
import { Web } from "../../layers/web.ts"
import { crawlStage } from "../../src/pipeline/stages/crawl/crawl.ts"
import { detectStage } from "../../src/pipeline/stages/detect/detect.ts"
import { fetchStage } from "../../src/pipeline/stages/fetch/fetch.ts"
import { PoliteWeb } from "../../src/pipeline/web/polite-web.ts"
import { Robots } from "../../src/pipeline/web/robots.ts"
import { runWorker } from "../../src/pipeline/worker.ts"
import { MeetingMaterials } from "../../src/services/making/meeting-materials.ts"
import { StagePieces } from "../../src/services/queue/stage-pieces.ts"
import { laneNames } from "../../src/services/queue/stages.ts"
import { Settings } from "../../src/services/settings/settings.ts"
import { Crawls } from "../../src/services/sources/crawls.ts"
import { Discoveries } from "../../src/services/sources/discoveries.ts"
import { FetchedParts } from "../../src/services/sources/fetched-parts.ts"
import { HostPace } from "../../src/services/sources/host-pace.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { eventually, scratch, TestRenderer } from "./rendering.ts"
import { Engine } from "./tiny-pipeline.ts"

/** Environment of a trial on a laptop, in a data folder of its own. */
const Laptop = Layer.effect(
  Environment,
  Effect.flatMap(scratch, (folder) => readEnvironment({ DATA_DIR: folder, ALLOW_PRIVATE_SOURCES: "1" }))
)

/** Other people's servers on this machine, called a hundred times a second. */
const LocalWeb = PoliteWeb.layerNoDeps.pipe(Layer.provide([Web.layer, HostPace.layerEvery(0.01), Robots.layerUnasked]))

/** Everything that crawling needs besides the database and the store. */
export const Crawling = Layer.mergeAll(
  ...[Crawls.layer, Discoveries.layer, FetchedParts.layer, LocalWeb, Sources.layer, Engine],
  ...[MeetingMaterials.layer, Settings.layer, SpeechModel.layerNone, StagePieces.layer]
).pipe(Layer.provideMerge(Layer.mergeAll(Laptop, TestRenderer)))

/** A worker that only crawls, detects and fetches, until the scope closes. */
export const crawlingWorker = Effect.gen(function* () {
  const handlers = { crawl: yield* crawlStage, detect: yield* detectStage, fetch: yield* fetchStage }
  yield* runWorker(handlers, { jobs: 4, lanes: new Map(laneNames.map((lane) => [lane, 4])) }).pipe(
    Effect.provide(Logger.layer([])),
    Effect.forkScoped
  )
})

/** Crawls a source once, waits until that is over, and returns the source's state. */
export const crawled = Effect.fnUntraced(function* (id: string) {
  const sources = yield* Sources
  const db = yield* Db
  yield* sources.crawl(id)
  return yield* eventually(
    Effect.map(
      db<{ outcome: string | null; failure: string | null }>`
        select outcome, failure from source where id = ${id} and not exists (
          select from flow where source_id = ${id} and state = 'open')`,
      ([row]) => row
    )
  )
})

/** Waits until no task of the first stages is due or running. */
export const settled = Effect.flatMap(Db, (db) =>
  eventually(
    Effect.map(
      db`select from task where stage in ('crawl', 'detect', 'fetch')
        and (state = 'running' or (state = 'waiting' and due_at <= clock_timestamp()))`,
      (rows) => (rows.length === 0 ? true : undefined)
    )
  )
)

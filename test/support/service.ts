import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Logger, Redacted } from "effect"
import { HttpServer } from "effect/http"
import type { CloudModel } from "../../layers/cloud-model.ts"
import { readSettings, Setup } from "../../layers/config.ts"
import type { Db } from "../../layers/db.ts"
import { Geocoder } from "../../layers/geocoder.ts"
import { ObjectStore } from "../../layers/object-store.ts"
import { RateLimits } from "../../layers/rate-limits.ts"
import { Signer } from "../../layers/signer.ts"
import { Build } from "../../src/http/build.ts"
import { EndsStreams } from "../../src/http/handlers/streams.ts"
import { nodeServer } from "../../src/http/node-server.ts"
import { HttpLive, serveRoutes } from "../../src/http/server.ts"
import { ServicesLive } from "../../src/services/live.ts"
import { fakeCloudModel } from "../layers/fake-cloud-model.ts"
import { TestDb } from "./database.ts"

/** Enough that no test runs into the limit which is not about it. */
export const TestSetup = Layer.effect(
  Setup,
  readSettings({ PUBLIC_READ_LIMIT: "100000", BASE_URL: "http://record.example.gov" })
)

const keys = {
  current: { id: "t1", secret: Redacted.make(new Uint8Array(32).fill(7)) },
  previous: []
}

export const TestSigner = Signer.layerKeys(keys)

const TestStore = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(path.join(tmpdir(), "civic-record-media-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    ObjectStore.layerFolder
  )
)

/** A model that finds the same discussion wherever it is asked. */
const model = fakeCloudModel({ answer: { start: 10, end: 60, title: "Creek greenway" } })

const serverWith = (cloudModel: Layer.Layer<CloudModel, never, Db>) =>
  EndsStreams.pipe(
    Layer.provide(serveRoutes(HttpLive)),
    Layer.provide(Build.layer),
    Layer.provideMerge(ServicesLive),
    Layer.provide(cloudModel),
    Layer.provideMerge(Layer.mergeAll(TestStore, TestSigner)),
    Layer.provide([Geocoder.layer, RateLimits.layerMemory]),
    Layer.provideMerge(nodeServer({ host: "127.0.0.1", port: 0 })),
    Layer.provide(NodeHttpServer.layerHttpServices)
  )

/** The whole service with another model behind it. */
export const testServiceWith = (cloudModel: Layer.Layer<CloudModel, never, Db>) =>
  serverWith(cloudModel).pipe(
    Layer.provideMerge(TestSetup),
    Layer.provideMerge(TestDb),
    Layer.provide(Logger.layer([]))
  )

/** The whole service, as it is run, on a database of its own and a port of its own. */
export const TestService = testServiceWith(model.layer)

/** Where the service under test listens. */
export const serviceAddress = HttpServer.HttpServer.use(({ address }) =>
  Effect.succeed(`http://127.0.0.1:${"port" in address ? address.port : 0}`)
)

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Logger, Redacted } from "effect"
import { HttpServer } from "effect/http"
import type { CloudModel } from "../../layers/cloud-model/cloud-model.ts"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import type { Db } from "../../layers/db/db.ts"
import type { Identity } from "../../layers/identity/identity.ts"
import { Mailer } from "../../layers/mailer.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { RateLimits } from "../../layers/rate-limits.ts"
import { Signer } from "../../layers/signer/signer.ts"
import { Geocoder } from "../../src/geocoder/geocoder.ts"
import { Build } from "../../src/http/build.ts"
import { EndsStreams } from "../../src/http/handlers/streams.ts"
import { nodeServer } from "../../src/http/node-server.ts"
import { HttpLive, serveRoutes } from "../../src/http/server.ts"
import { ServicesLive } from "../../src/services/live.ts"
import { SearchIndex } from "../../src/services/search/search-index.ts"
import { fakeCloudModel } from "../layers/fake-cloud-model.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"
import { TestDb } from "./database.ts"

const newFolder = (name: string) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(path.join(tmpdir(), `civic-record-${name}-`))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** The settings of a test, in a separate data folder; the read limit is high enough not to disturb any test. */
export const setupOf = (env: NodeJS.ProcessEnv) =>
  Layer.effect(
    Environment,
    Effect.flatMap(newFolder("data"), (folder) =>
      readEnvironment({ PUBLIC_READ_LIMIT: "100000", DATA_DIR: folder, LOCAL_IDENTITY_PORT: "0", ...env })
    )
  )

export const TestSetup = setupOf({ BASE_URL: "http://record.example.gov", PORT: "0" })

const keys = {
  current: { id: "t1", secret: Redacted.make(new Uint8Array(32).fill(7)) },
  previous: []
}

export const TestSigner = Signer.layerKeys(keys)

const TestStore = Layer.unwrap(Effect.map(newFolder("media"), ObjectStore.layerFolder))

/** A model that finds the same discussion for every request. */
const model = fakeCloudModel({ answer: { start: 10, end: 60, title: "Creek greenway" } })

/**
 * The whole service as in production, on a separate database; mail goes to its outbox, logs and spans to `observed`.
 */
export const serviceOf = <E, R>(
  setup: ReturnType<typeof setupOf>,
  identity: Layer.Layer<Identity, E, R>,
  observed: Layer.Layer<never> = Logger.layer([]),
  cloudModel: Layer.Layer<CloudModel, never, Db> = model.layer,
  database: typeof TestDb = TestDb,
  search: Layer.Layer<SearchIndex, never, Db | Environment> = SearchIndex.none,
  store: Layer.Layer<ObjectStore> = TestStore
) =>
  EndsStreams.pipe(
    Layer.provide(serveRoutes(HttpLive)),
    Layer.provide(Build.layer),
    Layer.provideMerge(ServicesLive),
    Layer.provideMerge(search),
    Layer.provide([identity, cloudModel]),
    Layer.provideMerge(Layer.mergeAll(store, TestSigner, Mailer.layer)),
    Layer.provide([Geocoder.layer, RateLimits.layerMemory]),
    Layer.provideMerge(Layer.unwrap(Effect.map(Environment, ({ host, port }) => nodeServer({ host, port })))),
    Layer.provide(NodeHttpServer.layerHttpServices),
    Layer.provideMerge(setup),
    Layer.provideMerge(database),
    Layer.provide(observed)
  )

/** The service on its own port, without a working sign-in provider: readers are created directly (see `reader`). */
export const TestService = serviceOf(TestSetup, fakeIdentity)

/** The same with another model behind it. */
export const testServiceWith = (cloudModel: Layer.Layer<CloudModel, never, Db>) =>
  serviceOf(TestSetup, fakeIdentity, undefined, cloudModel)

/** The outbox of the service under test. */
export const outbox = Effect.map(Environment, ({ dataDir }) => path.join(dataDir, "outbox"))

/** The address of the service under test. */
export const serviceAddress = HttpServer.HttpServer.use(({ address }) =>
  Effect.succeed(`http://127.0.0.1:${"port" in address ? address.port : 0}`)
)

import { randomBytes } from "node:crypto"
import * as path from "node:path"
import { Effect } from "effect"
import { freePorts } from "../../../test/support/free-port.ts"
import { hosted, hostedClient } from "../../../test/support/hosted-provider.ts"
import { bucket, certificate, makeBucket, prometheus, redis, type StoreKeys, store } from "./around.ts"
import { cluster } from "./cluster.ts"
import { node, thisBuild, worker } from "./nodes.ts"
import { pooler } from "./pooler.ts"
import { database, owner, type Server } from "./postgres.ts"
import { ownFolder, standFolder } from "./program.ts"
import { haproxy, readersProxy } from "./proxies.ts"

const secret = () => randomBytes(24).toString("base64url")

/** What operators change while the stand runs: each process reads it as it starts. */
interface Settings {
  build: string
  signingKeys: string
  role: string
  password: string
  storeKeys: StoreKeys
  /** More of the environment. */
  more: Readonly<Record<string, string>>
}

/**
 * A role of the service beside others that can do the same, so that its password can be changed without an outage:
 * everything belongs to the role that all of them act as.
 */
export const serviceRole = (server: Server, name: string, password: string) =>
  Effect.orDie(
    Effect.andThen(
      server.ask(`create role ${name} login password '${password}' in role ${owner}`),
      server.ask(`alter role ${name} set role ${owner}`)
    )
  )

/** Everything that a state would run, on one machine. */
export const stand = Effect.fnUntraced(function* (kept: boolean) {
  const folder = yield* standFolder(kept)
  const logs = ownFolder(folder, "logs")
  const ports = yield* freePorts([
    ...(["a", "b", "aState", "bState", "postgres", "pooler", "redis", "store", "prometheus", "https"] as const),
    ...(["node1", "node2", "node3", "check1", "check2", "check3"] as const)
  ])
  const settings: Settings = {
    build: thisBuild,
    signingKeys: `k1:${randomBytes(32).toString("base64")}`,
    role: "service_a",
    password: secret(),
    storeKeys: { id: "first", secret: secret() },
    more: {}
  }
  const base = `https://localhost:${ports.https}`
  /** Where readers sign in, without being asked. */
  const { issuer } = yield* hosted(
    { sub: "42", email: "reader@city.example.org", email_verified: true },
    `${base}/api/auth/oidc/city/callback`
  )
  /** The role of those who import, which stays as it is while that of the service changes. */
  const importer = ["importer", secret()] as const
  /** The addresses of the database for a role with its password: of the pooler, and past it. */
  const addressesFor = ([role, password]: readonly [role: string, password: string]) => ({
    pooled: `postgres://${role}:${password}@127.0.0.1:${ports.pooler}/${database}`,
    direct: `postgres://${role}:${password}@127.0.0.1:${ports.a},127.0.0.1:${ports.b}/${database}`
  })
  const ofService = () => addressesFor([settings.role, settings.password])
  const mediaUrl = () => {
    const { id, secret } = settings.storeKeys
    return `s3://${id}:${secret}@127.0.0.1:${ports.store}/${bucket}?tls=false`
  }
  const build = {
    from: () => settings.build,
    env: () => ({
      BASE_URL: base,
      DATABASE_URL: ofService().pooled,
      DATABASE_DIRECT_URL: ofService().direct,
      MEDIA_URL: mediaUrl(),
      REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
      SIGNING_KEYS: settings.signingKeys,
      TRUSTED_PROXIES: "127.0.0.1",
      OIDC_CITY_ISSUER: issuer,
      OIDC_CITY_CLIENT_ID: hostedClient.id,
      OIDC_CITY_CLIENT_SECRET: hostedClient.secret,
      ALLOW_PRIVATE_SOURCES: "1",
      PUBLIC_READ_LIMIT: "1000000",
      STREAM_LIMIT: "100000",
      DRAIN_SECONDS: "4",
      ...settings.more
    })
  }

  const databases = yield* cluster(path.join(folder, "postgres"), logs, ports, secret())
  const postgresProxy = yield* haproxy("database proxy", "haproxy-postgres.cfg", logs, ports.postgres, {
    POSTGRES_BIND: `127.0.0.1:${ports.postgres}`,
    POSTGRES_1: `127.0.0.1:${ports.a}`,
    POSTGRES_2: `127.0.0.1:${ports.b}`,
    STATE_1: String(ports.aState),
    STATE_2: String(ports.bState)
  })
  yield* serviceRole(databases.primary(), settings.role, settings.password)
  yield* serviceRole(databases.primary(), ...importer)
  const bouncer = yield* pooler(path.join(folder, "pgbouncer"), logs, ports.pooler, ports.postgres, [
    [settings.role, settings.password],
    importer
  ])
  const cache = yield* redis(path.join(folder, "redis"), logs, ports.redis)
  const media = yield* store(path.join(folder, "store"), logs, ports.store, settings.storeKeys)
  const { file, trusted } = certificate(path.join(folder, "tls"))
  const nodes = [
    yield* node(build, "node 1", folder, logs, ports.node1, ports.check1),
    yield* node(build, "node 2", folder, logs, ports.node2, ports.check2),
    yield* node(build, "node 3", folder, logs, ports.node3, ports.check3)
  ] as const
  const workers = [
    yield* worker(build, "worker 1", folder, logs),
    yield* worker(build, "worker 2", folder, logs)
  ] as const
  const proxy = yield* readersProxy(logs, ports.https, file, [
    { port: ports.node1, check: ports.check1 },
    { port: ports.node2, check: ports.check2 },
    { port: ports.node3, check: ports.check3 }
  ])
  const watching = yield* prometheus(path.join(folder, "prometheus"), logs, ports.prometheus, [
    ports.check1,
    ports.check2,
    ports.check3
  ])

  const start = Effect.gen(function* () {
    yield* Effect.all([postgresProxy.start, cache.start, media.start, watching.start], { concurrency: "unbounded" })
    yield* bouncer.start
    yield* makeBucket(ports.store, settings.storeKeys)
    // The first one migrates.
    yield* nodes[0].start
    yield* Effect.all([nodes[1].start, nodes[2].start, ...workers.map((each) => each.start)], { concurrency: 5 })
    yield* proxy.start
  })
  return {
    ...{ folder, logs, ports, base, trusted, settings, mediaUrl, start },
    ...{ databases, postgresProxy, bouncer, cache, media, nodes, workers, proxy, watching },
    importer,
    /** The database's addresses for those who import. */
    importerUrls: addressesFor(importer),
    /** Each node's operators' listener, which says whether it is ready. */
    checkBases: [ports.check1, ports.check2, ports.check3].map((port) => `http://127.0.0.1:${port}`)
  }
})

export type Stand = Effect.Success<ReturnType<typeof stand>>

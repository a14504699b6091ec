import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Redacted } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { startEmbeddedPostgres } from "../../layers/db/embedded-postgres/embedded-postgres.ts"
import { scratch } from "./rendering.ts"
import { wayTo } from "./way.ts"

const settings = (folder: string) => path.join(folder, "postgres/data/postgresql.auto.conf")

const started = (folder: string) =>
  Effect.map(
    startEmbeddedPostgres("own").pipe(
      Effect.provideServiceEffect(Environment, readEnvironment({ PATH: process.env.PATH, DATA_DIR: folder }))
    ),
    ({ url }) => url
  )

/** A PostgreSQL, a streaming replica of it, and the connection that the replica follows, which can be cut. */
export const streamingReplica = Effect.gen(function* () {
  const own = yield* scratch
  fs.chmodSync(own, 0o711)
  const [first, second] = [path.join(own, "primary"), path.join(own, "replica")]
  // A replica starts from the files of a stopped server.
  yield* Effect.scoped(started(first))
  fs.appendFileSync(settings(first), "fsync = off\n")
  execFileSync("cp", ["-a", first, second])
  const primary = yield* started(first)
  const { hostname, port, username, password } = new URL(Redacted.value(primary))
  const way = yield* wayTo(hostname, Number(port))
  const address = `host=127.0.0.1 port=${way.port} user=${username} password=${password}`
  fs.appendFileSync(settings(second), `primary_conninfo = '${address}'\nwal_retrieve_retry_interval = '200ms'\n`)
  fs.writeFileSync(path.join(second, "postgres/data/standby.signal"), "")
  return { primary, replica: yield* started(second), way }
})

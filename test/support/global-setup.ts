import { execFile } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { TestProject } from "vitest/node"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { startEmbeddedPostgres } from "../../layers/db/embedded-postgres/embedded-postgres.ts"
import { migrate } from "../../layers/db/migrate.ts"
import { unpackChromium } from "./chromium.ts"

declare module "vitest" {
  export interface ProvidedContext {
    readonly postgres: string
  }
}

/** This server may lose its data in a power failure, and nothing here lives long enough to need vacuuming. */
const careless = ["fsync = off", "synchronous_commit = off", "full_page_writes = off", "autovacuum = off"]

/**
 * The location of the databases: in memory if Linux offers that, because each test creates and removes hundreds of
 * their files.
 */
const room = (): string => {
  const memory = "/dev/shm"
  const enough = 4 * 1024 ** 3
  if (!fs.existsSync(memory)) return os.tmpdir()
  const { bavail, bsize } = fs.statfsSync(memory)
  return bavail * bsize >= enough ? memory : os.tmpdir()
}

/**
 * Has all commands compiled and cached (`src/main.ts`) in a new checkout. Tests kill most of the processes that they
 * start, and a killed one caches nothing.
 */
const compileCommands = async () => {
  const root = path.join(import.meta.dirname, "../..")
  if (fs.existsSync(path.join(root, "node_modules/.cache/civic-record"))) return
  await promisify(execFile)(process.execPath, [path.join(root, "src/main.ts"), "--help"], {
    env: { PATH: process.env.PATH }
  })
}

/** One real PostgreSQL for the whole run, with a migrated template that each test database is copied from. */
export default async function setup(project: TestProject) {
  const folder = fs.mkdtempSync(path.join(room(), "civic-record-test-"))
  fs.chmodSync(folder, 0o711)
  const prepared = Promise.all([compileCommands(), unpackChromium()])
  const scope = Effect.runSync(Scope.make())
  const url = await Effect.runPromise(
    Effect.gen(function* () {
      const { url: server } = yield* startEmbeddedPostgres("own").pipe(
        Effect.provideServiceEffect(Environment, readEnvironment({ PATH: process.env.PATH, DATA_DIR: folder }))
      )
      const inDatabase = <A, E>(name: string, effect: Effect.Effect<A, E, Db>) =>
        effect.pipe(
          Effect.provide(Db.layerUrl(Redacted.make(databaseUrl(Redacted.value(server), name)))),
          Effect.scoped
        )
      yield* inDatabase(
        "postgres",
        Effect.gen(function* () {
          const db = yield* Db
          for (const setting of careless) yield* db.unsafe(`alter system set ${setting}`)
          yield* db`select pg_reload_conf()`
          yield* db`create database template_record`
        })
      )
      yield* inDatabase("template_record", migrate())
      yield* inDatabase(
        "postgres",
        Effect.flatMap(Db, (db) => db`alter database template_record is_template true`)
      )
      return Redacted.value(server)
    }).pipe(Effect.provideService(Scope.Scope, scope))
  )
  await prepared
  project.provide("postgres", url)
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

export const databaseUrl = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

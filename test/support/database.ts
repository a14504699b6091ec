import { randomUUID } from "node:crypto"
import { Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { inject } from "vitest"
import { Db } from "../../layers/db/db.ts"
import { databaseUrl } from "./global-setup.ts"

/** A database on a pool that a busy machine may keep waiting. */
export const databaseAt = (url: Redacted.Redacted, replica = Option.none<Redacted.Redacted>()) =>
  Db.layerUrl(url, replica, { connectTimeout: "30 seconds" })

/**
 * The server, on connections that all tests of this process share and that end with it: connecting takes as long as
 * copying a database.
 */
const server = ManagedRuntime.make(
  Layer.unwrap(Effect.sync(() => databaseAt(Redacted.make(databaseUrl(inject("postgres"), "postgres")))))
)

const onServer = (statement: string) =>
  Effect.promise(() => server.runPromise(Effect.flatMap(Db, (db) => db.unsafe(statement))))

/** The address of a new copy of the migrated template, dropped when the scope closes. */
export const freshDatabase = Effect.gen(function* () {
  const name = `test_${randomUUID().replaceAll("-", "")}`
  // The template's files are copied as they are; the default writes each of their pages to the log, which takes six
  // times the CPU.
  yield* Effect.acquireRelease(onServer(`create database ${name} template template_record strategy file_copy`), () =>
    onServer(`drop database ${name} with (force)`)
  )
  return Redacted.make(databaseUrl(inject("postgres"), name))
})

/** A database for one test file or one test. */
export const TestDb = Layer.unwrap(Effect.map(freshDatabase, (url) => databaseAt(url)))

/** The same with a replica that never receives data: a public read finds nothing of the record. */
export const EmptyReplicaDb = Layer.unwrap(
  Effect.zipWith(freshDatabase, freshDatabase, (url, replica) => databaseAt(url, Option.some(replica)))
)

import { randomUUID } from "node:crypto"
import { Effect, Layer, Redacted } from "effect"
import { inject } from "vitest"
import { Db } from "../../layers/db.ts"
import { databaseUrl } from "./global-setup.ts"

/** The address of a fresh copy of the migrated template, dropped when the scope closes. */
export const freshDatabase = Effect.gen(function* () {
  const server = inject("postgres")
  const name = `test_${randomUUID().replaceAll("-", "")}`
  const onServer = (statement: string) =>
    Effect.flatMap(Db, (db) => db.unsafe(statement)).pipe(
      Effect.provide(Db.layerUrl(Redacted.make(databaseUrl(server, "postgres"))))
    )
  // The template's files are copied as they are; the default writes each of their pages to the log, which takes six times the CPU.
  yield* Effect.acquireRelease(onServer(`create database ${name} template template_record strategy file_copy`), () =>
    Effect.orDie(onServer(`drop database ${name} with (force)`))
  )
  return Redacted.make(databaseUrl(server, name))
})

/** A database for one test file or one test. */
export const TestDb = Layer.unwrap(Effect.map(freshDatabase, Db.layerUrl))

import * as path from "node:path"
import { NodeServices } from "@effect/platform-node"
import { PgClient, PgMigrator } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, SqlError } from "effect/sql"
import { fromFileSystem } from "effect/sql/MigratorFileSystem"
import { Environment } from "./config.ts"
import { type Ownership, startEmbeddedPostgres } from "./embedded-postgres.ts"

/** A connection to PostgreSQL, or the transaction that its caller has begun: whatever runs in the caller's takes one. */
export type Sql = PgClient.PgClient

/**
 * A database that cannot be reached is a defect of every service, not a failure that each one names; the edge answers
 * 503 (contract section 2).
 */
export const dbDies = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catch(effect, (error) =>
    // A guard narrows no type parameter, so what is left of it is said here.
    SqlError.isSqlError(error) ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError.SqlError>)
  )

/** A pool on one PostgreSQL. Columns and JSON keep the names they have. */
const connect = (url: Redacted.Redacted) =>
  PgClient.make({
    url,
    applicationName: "civic-record",
    maxConnections: 20,
    minConnections: 1,
    connectTimeout: "5 seconds",
    idleTimeout: "1 minute",
    maxMessageSize: 256 * 1024 * 1024
  })

/** The PostgreSQL that holds the record: every write, and every read that must see it. */
export class Db extends Context.Service<Db, Sql>()("civic-record/Db") {
  /** On `DATABASE_URL`, or on the embedded PostgreSQL under the data folder; with `ReadDb` beside it. */
  static readonly layer = (ownership: Ownership) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const { databaseUrl, databaseReplicaUrl } = yield* Environment
        const url = Option.isSome(databaseUrl) ? databaseUrl.value : yield* startEmbeddedPostgres(ownership)
        const db = yield* connect(url)
        const replica = Option.isSome(databaseReplicaUrl) ? yield* connect(databaseReplicaUrl.value) : db
        return Context.make(Db, db).pipe(Context.add(ReadDb, replica))
      })
    ).pipe(Layer.provide(Reactivity.layer))

  /** One given database for both reading and writing: what tests run on. */
  static readonly layerUrl = (url: Redacted.Redacted) =>
    Layer.effectContext(Effect.map(connect(url), (db) => Context.make(Db, db).pipe(Context.add(ReadDb, db)))).pipe(
      Layer.provide(Reactivity.layer)
    )
}

/** The PostgreSQL that public reads may be a moment behind on: the replica where one is given, else `Db` itself. */
export class ReadDb extends Context.Service<ReadDb, Sql>()("civic-record/ReadDb") {}

const migrations = path.join(import.meta.dirname, "migrations")

/**
 * Brings the schema to this build's. Safe with several starting at once: the migrator locks its table for the length of
 * one transaction, and who comes second finds nothing left to do.
 */
export const migrate = Effect.fn("Db.migrate")(function* () {
  const db = yield* Db
  return yield* PgMigrator.run({ loader: fromFileSystem(migrations), table: "migration" }).pipe(
    Effect.provideService(PgClient.PgClient, db),
    Effect.provideService(SqlClient.SqlClient, db),
    Effect.provide(NodeServices.layer)
  )
})

/** Whether the database has every migration that this build ships. */
export const isMigrated = Effect.gen(function* () {
  const db = yield* Db
  const shipped = yield* fromFileSystem(migrations).pipe(Effect.provide(NodeServices.layer))
  const [latest] = yield* db<{ id: number }>`select coalesce(max(migration_id), 0)::int as id from migration`
  return latest?.id === Math.max(...shipped.map(([id]) => id))
})

import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient, PgMigrator } from "@effect/sql-pg"
import { Context, type DateTime, Effect, Layer, Option, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, SqlError } from "effect/sql"
import { fromFileSystem } from "effect/sql/MigratorFileSystem"
import { Environment } from "../config.ts"
import { type EmbeddedPostgres, type Ownership, startEmbeddedPostgres } from "./embedded-postgres/embedded-postgres.ts"
import type { EmbeddedPostgresError } from "./embedded-postgres/failure.ts"
import { acquireFrom, clientWith, openPool, type PoolOptions, type Sql } from "./pool.ts"
import { replicaOrPrimary } from "./replica.ts"

export { applicationName, type PoolOptions, type Sql } from "./pool.ts"

/**
 * An unreachable database is a defect of every service, not a failure that each of them names; the edge answers 503
 * (contract section 2).
 */
export const dbDies = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catch(effect, (error) =>
    // A guard does not narrow a type parameter, so the remaining type is stated here.
    SqlError.isSqlError(error) ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError.SqlError>)
  )

/** The PostgreSQL that holds the record, for every write and every read that must see it. */
export class Db extends Context.Service<Db, Sql>()("civic-record/Db") {
  /** On `DATABASE_URL`, or on the embedded PostgreSQL under the data folder; with `ReadDb` and `DbHealth` beside it. */
  static readonly layer = (ownership: Ownership, options: PoolOptions = {}) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const { databaseUrl, databaseReplicaUrl } = yield* Environment
        if (Option.isSome(databaseUrl)) return yield* connect(databaseUrl.value, databaseReplicaUrl, options)
        const { url, ...process } = yield* startEmbeddedPostgres(ownership)
        return yield* connect(url, databaseReplicaUrl, options, process)
      })
    ).pipe(Layer.provide(Reactivity.layer))

  /** On the given database and replica, as tests need it. */
  static readonly layerUrl = (
    url: Redacted.Redacted,
    replica = Option.none<Redacted.Redacted>(),
    options: PoolOptions = {}
  ) => Layer.effectContext(connect(url, replica, options)).pipe(Layer.provide(Reactivity.layer))
}

/**
 * The PostgreSQL for public reads, which may be a moment behind: the replica, if one is configured and reachable, else the
 * same database as `Db`.
 */
export class ReadDb extends Context.Service<ReadDb, Sql>()("civic-record/ReadDb") {}

/**
 * How this process uses the primary, so that what was read from it is known to be current: nothing that this process
 * committed can be newer than the count.
 */
export class DbUse extends Context.Service<
  DbUse,
  {
    /** How often a connection of the primary was given back, after a statement or a transaction. */
    readonly count: Effect.Effect<number>
    /** Reads what `ReadDb` reads, without being counted. */
    readonly db: Sql
  }
>()("civic-record/DbUse") {}

/** For health checks: connections of its own, which readers cannot use up, and the state of the databases. */
export class DbHealth extends Context.Service<
  DbHealth,
  {
    readonly db: Sql
    /** Whether the replica answers; none where none is configured. */
    readonly replica: Effect.Effect<Option.Option<boolean>>
    /** When the embedded PostgreSQL was last brought back after it had stopped by itself. */
    readonly restartedAt: Effect.Effect<Option.Option<DateTime.Utc>>
    /** Fails once the embedded PostgreSQL cannot be brought back; runs forever where there is none. */
    readonly lost: Effect.Effect<never, EmbeddedPostgresError>
  }
>()("civic-record/DbHealth") {}

const connect = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  replicaUrl: Option.Option<Redacted.Redacted>,
  options: PoolOptions,
  process: Omit<EmbeddedPostgres, "url"> = { restartedAt: Effect.succeedNone, lost: Effect.never }
) {
  const primary = yield* openPool(url, options)
  const fromPrimary = acquireFrom(primary, "primary", options)
  let used = 0
  const given = Effect.sync(() => used++)
  const db = yield* clientWith(
    primary,
    Effect.tap(fromPrimary, () => Effect.addFinalizer(() => given))
  )
  const use = (uncounted: Sql) => ({ count: Effect.sync(() => used), db: uncounted })
  const forHealth = { statementTimeout: "3 seconds", longestWait: "3 seconds", maxConnections: 2 } as const
  const health = yield* openPool(url, forHealth)
  const healthDb = yield* clientWith(health, acquireFrom(health, "health", forHealth))
  if (Option.isNone(replicaUrl)) {
    return Context.make(Db, db).pipe(
      Context.add(ReadDb, db),
      Context.add(DbUse, use(yield* clientWith(primary, fromPrimary))),
      Context.add(DbHealth, { ...process, db: healthDb, replica: Effect.succeedNone })
    )
  }
  const replica = yield* openPool(replicaUrl.value, options)
  const { acquirer, isThere } = yield* replicaOrPrimary(replica, acquireFrom(replica, "replica", options), fromPrimary)
  const readDb = yield* clientWith(replica, acquirer)
  return Context.make(Db, db).pipe(
    Context.add(ReadDb, readDb),
    Context.add(DbUse, use(readDb)),
    Context.add(DbHealth, { ...process, db: healthDb, replica: Effect.asSome(isThere) })
  )
})

const migrations = path.join(import.meta.dirname, "..", "migrations")

/** The migrations of this build, up to one of them. */
const shippedUpTo = (latest: number) =>
  Effect.map(fromFileSystem(migrations), (all) => all.filter(([id]) => id <= latest))

/** The number of this build's newest migration. */
export const newestMigration = fromFileSystem(migrations).pipe(
  Effect.provide(NodeServices.layer),
  Effect.map((all) => Math.max(...all.map(([id]) => id)))
)

/**
 * Migrates the schema to this build's, or only as far as `upTo`. Safe if several processes start concurrently: the migrator locks its table for one
 * transaction, and the second process finds nothing left to do.
 */
export const migrate = Effect.fn("Db.migrate")(function* (upTo = Number.POSITIVE_INFINITY) {
  const db = yield* Db
  const run = PgMigrator.run({ loader: shippedUpTo(upTo), table: "migration" }).pipe(
    Effect.provideService(PgClient.PgClient, db),
    Effect.provideService(SqlClient.SqlClient, db),
    Effect.provide(NodeServices.layer)
  )
  // An index on a large record takes longer than any reader would wait.
  return yield* db.withTransaction(Effect.andThen(db`set local statement_timeout = 0`, run))
})

/** Whether the database has every migration that this build ships. */
export const isMigrated = Effect.gen(function* () {
  const db = yield* Db
  const [latest] = yield* db<{ id: number }>`select coalesce(max(migration_id), 0)::int as id from migration`
  return latest?.id === (yield* newestMigration)
})

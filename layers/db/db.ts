import { Context, type DateTime, Effect, Layer, Option, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlError } from "effect/sql"
import { Environment } from "../config/config.ts"
import { type EmbeddedPostgres, type Ownership, startEmbeddedPostgres } from "./embedded-postgres/embedded-postgres.ts"
import type { EmbeddedPostgresError } from "./embedded-postgres/failure.ts"
import { acquireFrom, clientWith, openPool, type PoolOptions, type ReadSql, readerWith, type Sql } from "./pool.ts"
import { type ReplicaState, replicaOrPrimary } from "./replica.ts"

export { applicationName, type PoolOptions, type ReadSql, type Sql } from "./pool.ts"

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
 * The PostgreSQL for public reads, which may be a moment behind: the replica, if one is configured and current, else
 * the primary. With or without a replica it is another client than `Db`, and refuses to read within a transaction of
 * `Db`.
 */
export class ReadDb extends Context.Service<ReadDb, ReadSql>()("civic-record/ReadDb") {
  /** Services of their own that read the primary: for callers who decide, write or mail by what they read. */
  static readonly fromPrimary = <A, E, R>(services: Layer.Layer<A, E, R>) =>
    Layer.fresh(services).pipe(Layer.provide(Layer.effect(ReadDb, Db)))
}

/**
 * How this process uses the primary, so that what was read from it is known to be current: nothing that this process
 * committed can be newer than the count.
 */
export class DbUse extends Context.Service<
  DbUse,
  {
    readonly now: Effect.Effect<{
      /** How often `Db` gave a connection back, after a statement or a transaction. */
      readonly count: number
      /** How often public reads went from one database to another: an answer made meanwhile may be of both. */
      readonly switches: number
    }>
  }
>()("civic-record/DbUse") {}

/** For health checks: connections of its own, which readers cannot use up, and the state of the databases. */
export class DbHealth extends Context.Service<
  DbHealth,
  {
    readonly db: Sql
    /** The replica as it was a moment ago; none where none is configured. */
    readonly replica: Effect.Effect<Option.Option<ReplicaState>>
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
  const forHealth = { statementTimeout: "3 seconds", longestWait: "3 seconds", maxConnections: 2 } as const
  const health = yield* openPool(url, forHealth)
  const healthDb = yield* clientWith(health, acquireFrom(health, "health", forHealth))
  if (Option.isNone(replicaUrl)) {
    return Context.make(Db, db).pipe(
      Context.add(ReadDb, yield* readerWith(primary, fromPrimary, db)),
      Context.add(DbUse, { now: Effect.sync(() => ({ count: used, switches: 0 })) }),
      Context.add(DbHealth, { ...process, db: healthDb, replica: Effect.succeedNone })
    )
  }
  const replica = yield* openPool(replicaUrl.value, options)
  const watched = yield* openPool(replicaUrl.value, { ...forHealth, maxConnections: 1 })
  const fromReplica = acquireFrom(replica, "replica", options)
  const { acquirer, state, switches } = yield* replicaOrPrimary(healthDb, watched, fromReplica, fromPrimary)
  return Context.make(Db, db).pipe(
    Context.add(ReadDb, yield* readerWith(replica, acquirer, db)),
    Context.add(DbUse, { now: Effect.sync(() => ({ count: used, switches: switches() })) }),
    Context.add(DbHealth, { ...process, db: healthDb, replica: Effect.asSome(state) })
  )
})

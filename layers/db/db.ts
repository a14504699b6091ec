import { Context, type DateTime, Effect, Layer, Option, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlError } from "effect/sql"
import { Environment } from "../config/config.ts"
import { type EmbeddedPostgres, type Ownership, startEmbeddedPostgres } from "./embedded-postgres/embedded-postgres.ts"
import type { EmbeddedPostgresError } from "./embedded-postgres/failure.ts"
import {
  acquireFrom,
  atClose,
  clientWith,
  openPool,
  type PoolOptions,
  type ReadSql,
  readerWith,
  type Sql
} from "./pool.ts"
import { makePublicState, type PublicState } from "./public-state.ts"
import { ReplicaBounds, type ReplicaState, replicaOrPrimary } from "./replica.ts"

/** The most connections that go past a pooler: one for each channel of notices, and one for an index that is built. */
const listeners = 8

export { applicationName, atClose, type PoolOptions, type ReadSql, type Sql } from "./pool.ts"

/**
 * An unreachable database is a defect rather than a failure that every service declares; the edge answers 503 (contract
 * section 2).
 */
export const dbDies = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catch(effect, (error) =>
    // A type guard does not narrow a type parameter, so the remaining type is stated here.
    SqlError.isSqlError(error) ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError.SqlError>)
  )

/** The primary: for every write, and every read that must be current. */
export class Db extends Context.Service<Db, Sql>()("civic-record/Db") {
  /**
   * Connects to `DATABASE_URL`, or to the embedded PostgreSQL in the data folder; also provides `ReadDb` and
   * `DbHealth`.
   */
  static readonly layer = (ownership: Ownership, options: PoolOptions = {}) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const {
          databaseUrl,
          databaseDirectUrl: direct,
          databaseReplicaUrl: replica,
          databaseReplicaLag
        } = yield* Environment
        const bounds = { ...(yield* ReplicaBounds), most: databaseReplicaLag }
        const connected = (...to: Parameters<typeof connect>) =>
          Effect.provideService(connect(...to), ReplicaBounds, { ...bounds, back: Math.min(bounds.back, bounds.most) })
        if (Option.isSome(databaseUrl)) return yield* connected({ url: databaseUrl.value, direct, replica }, options)
        const { url, ...process } = yield* startEmbeddedPostgres(ownership)
        return yield* connected({ url, direct: Option.none(), replica }, options, process)
      })
    ).pipe(Layer.provide(Reactivity.layer))

  /** Uses the given database and replica, for tests. */
  static readonly layerUrl = (
    url: Redacted.Redacted,
    replica = Option.none<Redacted.Redacted>(),
    options: PoolOptions = {},
    direct = Option.none<Redacted.Redacted>()
  ) => Layer.effectContext(connect({ url, direct, replica }, options)).pipe(Layer.provide(Reactivity.layer))
}

/**
 * The database for public reads: the replica, if one is configured and has all that was published a tenth of a second
 * ago (`ReadsSince`), else the primary. It is never the same client as `Db`, and refuses to read within a transaction
 * of `Db`.
 */
export class ReadDb extends Context.Service<ReadDb, ReadSql>()("civic-record/ReadDb") {
  /** Fresh instances of services that read the primary, for callers who decide, write or mail by their answers. */
  static readonly fromPrimary = <A, E, R>(services: Layer.Layer<A, E, R>) =>
    Layer.fresh(services).pipe(Layer.provide(Layer.effect(ReadDb, Db)))
}

/** By what cached data is known to be current. */
export class DbUse extends Context.Service<
  DbUse,
  {
    /** How often public reads switched databases: an answer computed across a switch may mix both. */
    readonly switches: Effect.Effect<number>
    /**
     * The state that a public read shows at least: of the primary a tenth of a second ago (`ReadsSince`), with all that
     * this process has committed.
     */
    readonly publicState: Effect.Effect<PublicState, SqlError.SqlError>
  }
>()("civic-record/DbUse") {}

/** For health checks: its own connections, which readers cannot exhaust, and the state of the databases. */
export class DbHealth extends Context.Service<
  DbHealth,
  {
    readonly db: Sql
    /** The replica's recent state; none if no replica is configured. */
    readonly replica: Effect.Effect<Option.Option<ReplicaState>>
    /** When the embedded PostgreSQL was last restarted after a crash. */
    readonly restartedAt: Effect.Effect<Option.Option<DateTime.Utc>>
    /** Fails once the embedded PostgreSQL cannot be restarted; otherwise never ends. */
    readonly lost: Effect.Effect<never, EmbeddedPostgresError>
  }
>()("civic-record/DbHealth") {}

/** The addresses of a database; `direct` leads past the pooler that `url` leads to. */
interface Addresses {
  readonly url: Redacted.Redacted
  readonly direct: Option.Option<Redacted.Redacted>
  readonly replica: Option.Option<Redacted.Redacted>
}

const connect = Effect.fnUntraced(function* (
  { url, direct, replica: replicaUrl }: Addresses,
  options: PoolOptions,
  process: Omit<EmbeddedPostgres, "url"> = { restartedAt: Effect.succeedNone, lost: Effect.never }
) {
  const isPooled = Option.isSome(direct)
  const pooled = yield* openPool(url, { ...options, isPooled })
  // Notices need a session of their own, which a pooler in transaction mode does not keep.
  const past = isPooled ? yield* openPool(direct.value, { ...options, maxConnections: listeners }) : pooled
  const primary = { ...pooled, server: past.server, listen: past.listen }
  const fromPrimary = acquireFrom(pooled, "primary", options)
  let used = 0
  const given = Effect.sync(() => used++)
  const db = yield* clientWith(
    primary,
    Effect.tap(fromPrimary, () => atClose(given))
  )
  /** How often a statement or transaction of `Db` has released its connection: nothing it committed is newer. */
  const use = () => ({ count: used, switches: pooled.renewals() })
  const forHealth = { statementTimeout: "3 seconds", longestWait: "3 seconds", maxConnections: 2 } as const
  const health = yield* openPool(url, { ...forHealth, isPooled })
  const healthDb = yield* clientWith(health, acquireFrom(health, "health", forHealth))
  // Every read waits for the public state, so that is asked on a connection that neither other reads nor checks take.
  const own = { ...forHealth, isPooled, maxConnections: 1 }
  const asking = yield* openPool(url, own)
  // Of several servers, the one that is written to is asked.
  const followed = Effect.suspend(() =>
    Redacted.value(asking.server()) === Redacted.value(pooled.server()) ? Effect.void : asking.renew("demoted")
  )
  const asked = yield* clientWith(asking, Effect.andThen(followed, acquireFrom(asking, "health", own)))
  if (Option.isNone(replicaUrl)) {
    const reads = yield* readerWith(primary, fromPrimary, db)
    const { current } = yield* makePublicState(asked, use)
    return Context.make(Db, db).pipe(
      Context.add(ReadDb, reads),
      Context.add(DbUse, { switches: Effect.sync(pooled.renewals), publicState: current }),
      Context.add(DbHealth, { ...process, db: healthDb, replica: Effect.succeedNone })
    )
  }
  // A replica may stand behind a pooler, too.
  const replica = yield* openPool(replicaUrl.value, { ...options, isPooled })
  const watching = yield* openPool(replicaUrl.value, own)
  const watched = yield* clientWith(watching, acquireFrom(watching, "health", own))
  const fromReplica = acquireFrom(replica, "replica", options)
  const door = yield* replicaOrPrimary(asked, watched, fromReplica, fromPrimary, use)
  return Context.make(Db, db).pipe(
    Context.add(ReadDb, yield* readerWith(replica, door.acquirer, db)),
    Context.add(DbUse, {
      switches: Effect.sync(() => door.switches() + pooled.renewals()),
      publicState: door.publicState
    }),
    Context.add(DbHealth, { ...process, db: healthDb, replica: Effect.asSome(door.state) })
  )
})

import { hostname } from "node:os"
import { PgClient, PgConnection } from "@effect/sql-pg"
import { Clock, Duration, Effect, Exit, Metric, Option, Predicate, Redacted, Scope, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, type Statement } from "effect/sql"
import { connectionsInUse, measured, poolRefusals, poolWaitSeconds } from "../telemetry/metrics.ts"
import { type DatabaseAddress, databaseAddress } from "./address.ts"
import { heard, StatementLimit } from "./silence.ts"

/**
 * A client for reads that a replica may answer, and for fragments of statements. It can neither write nor begin a
 * transaction; code that writes, or decides by what it reads, takes a `Sql`.
 */
export interface ReadSql extends Pick<Statement.Constructor, "and" | "csv" | "in" | "join" | "literal" | "or"> {
  <A extends object = SqlConnection.Row>(
    strings: TemplateStringsArray,
    ...values: ReadonlyArray<unknown>
  ): Statement.Statement<A>
  (name: string): Statement.Identifier
  readonly isPrimary: boolean
  /** Runs reads in their own transaction, or in the caller's, with this timeout for each statement. */
  readonly withStatementTimeout: (
    limit: Duration.Input
  ) => <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError.SqlError, R>
}

/** The primary, or the caller's open transaction on it; code that has to run in the caller's transaction takes one. */
export interface Sql extends PgClient.PgClient, ReadSql {
  readonly isPrimary: true
  /** The address of the server that is the primary now, without a pooler. */
  readonly server: () => Redacted.Redacted
}

export interface PoolOptions {
  /** The statement timeout, waits for locks included. Commands need it absent: unlimited. */
  readonly statementTimeout?: Duration.Input
  /** How long a statement or a transaction waits for a connection while all are in use. */
  readonly longestWait?: Duration.Input
  readonly maxConnections?: number
  /** 3 seconds by default. */
  readonly connectTimeout?: Duration.Input
  /** Whether a pooler in transaction mode stands before the server: it keeps nothing between transactions. */
  readonly isPooled?: boolean
}

/** A pool of connections, which can be renewed: the server it led to may no longer be the primary. */
export interface Pool extends Pick<PgClient.PgClient, "config" | "json" | "listen" | "notify"> {
  /** The address of the server that it leads to now. */
  readonly server: () => Redacted.Redacted
  readonly reserve: SqlConnection.Acquirer
  /**
   * Opens new connections in place of all that there are, which end as they are released: where the server is no longer
   * the primary, or, with several servers, where another is to be used now. Looks at most once a second.
   */
  readonly renew: (because: "demoted" | "unreachable") => Effect.Effect<void>
  /** How often it was renewed. */
  readonly renewals: () => number
}

/** This process's name in `pg_stat_activity`; PostgreSQL keeps 63 bytes of it. */
export const applicationName = `civic-record ${process.pid}@${hostname()}`.slice(0, 63)

/** The least time between two looks for another server, in milliseconds. */
const settling = 1000

/** Less than the longest wait, so that a silent server can be told from a busy one. */
const usualConnectTimeout = "3 seconds"

/** Columns and JSON keep their names. */
const clientTo = (
  url: Redacted.Redacted,
  { statementTimeout, maxConnections = 20, connectTimeout = usualConnectTimeout, isPooled = false }: PoolOptions
) =>
  PgClient.make({
    url,
    applicationName,
    maxConnections,
    // The first connection is opened on demand, so that a service can start while its replica is down.
    minConnections: 0,
    connectTimeout,
    idleTimeout: "1 minute",
    maxMessageSize: 256 * 1024 * 1024,
    prepare: !isPooled,
    ...(statementTimeout === undefined || isPooled
      ? {}
      : { startupParameters: { statement_timeout: String(Duration.toMillis(statementTimeout)) } })
  })

/** The first server that answers as one that takes writes; the first of all if none does. */
const chosen = ({ servers, wantsPrimary }: DatabaseAddress) => {
  if (servers.length === 1) return Effect.succeed(servers[0])
  const asked = servers.map((url) =>
    Effect.gen(function* () {
      const connection = yield* PgConnection.make({ url, applicationName, connectTimeout: usualConnectTimeout })
      const { rows } = yield* connection.query("show transaction_read_only")
      return wantsPrimary && rows[0]?.transaction_read_only !== "off" ? yield* Effect.fail("read-only") : url
    }).pipe(Effect.scoped)
  )
  return Effect.orElseSucceed(Effect.raceAll(asked), () => servers[0])
}

/** A connection pool on one PostgreSQL, at an address as `databaseAddress` reads it. */
export const openPool = Effect.fnUntraced(function* (url: Redacted.Redacted, options: PoolOptions) {
  const address = databaseAddress(Redacted.value(url))
  if (typeof address === "string") return yield* Effect.die(new Error(`A database's address is ${address}`))
  const scope = yield* Effect.scope
  const one = yield* Semaphore.make(1)
  const reactivity = yield* Reactivity.Reactivity
  const opened = Effect.fnUntraced(
    function* (server: Redacted.Redacted) {
      const own = yield* Scope.fork(scope)
      const client = yield* Scope.provide(clientTo(server, options), own)
      return { client, server, close: Scope.close(own, Exit.void) }
    },
    Effect.provideService(Reactivity.Reactivity, reactivity)
  )
  let current = yield* opened(yield* chosen(address))
  let lookedAt = yield* Clock.currentTimeMillis
  let renewals = 0
  const renew: Pool["renew"] = (because) =>
    Effect.gen(function* () {
      if ((yield* Clock.currentTimeMillis) - lookedAt < settling) return
      const server = yield* chosen(address)
      lookedAt = yield* Clock.currentTimeMillis
      if (because === "unreachable" && server === current.server) return
      const old = current
      current = yield* opened(server)
      renewals++
      yield* Effect.forkIn(old.close, scope)
    }).pipe((looking) => Semaphore.withPermit(one, looking), Effect.ignore)
  return {
    server: () => current.server,
    config: current.client.config,
    json: current.client.json,
    listen: (channel) => Effect.suspend(() => current.client.listen(channel)),
    notify: (channel, payload) => Effect.suspend(() => current.client.notify(channel, payload)),
    reserve: Effect.suspend(() => current.client.reserve),
    renew,
    renewals: () => renewals
  } satisfies Pool as Pool
})

/**
 * Every connection is in use, and none was released in time. 53300 is PostgreSQL's own code for too many connections.
 */
const noneFree = Effect.fail(
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: Object.assign(new Error("every connection is in use"), { code: "53300" }),
      message: "No connection to the database became free in time",
      operation: "acquire"
    })
  })
)

/** Whether a server that was the primary takes no more writes: it was demoted, and another was promoted. */
const isReadOnly = ({ reason }: SqlError.SqlError): boolean =>
  Predicate.hasProperty(reason.cause, "code") && reason.cause.code === "25006"

/** Whether only our own pool was exhausted, which does not mean that the database is unhealthy. */
export const isNoneFree = ({ reason }: SqlError.SqlError): boolean => reason.operation === "acquire"

/**
 * Runs something when the scope closes. `Effect.acquireRelease` and `Effect.addFinalizer` copy all services into new
 * contexts for that, in each of a request's several scopes.
 */
export const atClose = (finalizer: Effect.Effect<unknown>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, finalizer))

/**
 * A connection for one statement or transaction. Fails after `longestWait`; the driver itself would wait forever.
 * Metrics show the wait, and the connections in use, under the pool's name.
 */
export const acquireFrom = (
  pool: Pool,
  name: "primary" | "replica" | "health",
  { longestWait = "5 seconds", statementTimeout }: PoolOptions
): SqlConnection.Acquirer => {
  const labels = { pool: name }
  const inUse = Metric.withAttributes(connectionsInUse, labels)
  const refused = Effect.andThen(Metric.update(Metric.withAttributes(poolRefusals, labels), 1), noneFree)
  return pool.reserve.pipe(
    Effect.tapError(() => pool.renew("unreachable")),
    Effect.timeoutOrElse({ duration: longestWait, orElse: () => refused }),
    measured(Metric.withAttributes(poolWaitSeconds, labels)),
    Effect.tap(() =>
      Effect.uninterruptible(Effect.andThen(Metric.modify(inUse, 1), atClose(Metric.modify(inUse, -1))))
    ),
    Effect.map((connection) =>
      statementTimeout === undefined
        ? connection
        : heard(connection, Duration.fromInputUnsafe(statementTimeout), (error) =>
            isReadOnly(error) ? pool.renew("demoted") : Effect.void
          )
    )
  )
}

/** PostgreSQL answers COMMIT with ROLLBACK if the transaction had already failed. */
const commit = (connection: SqlConnection.Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "ROLLBACK"
      ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({ cause: result, message: "COMMIT rolled back", operation: "commit" })
          })
        )
      : Effect.void
  )

const clientOn = Effect.fnUntraced(function* (pool: Pool, acquirer: SqlConnection.Acquirer) {
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer,
    borrower: (use) => Effect.scoped(Effect.flatMap(acquirer, use)),
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  // In a transaction, because only `set local` works through a connection pooler.
  const withStatementTimeout: ReadSql["withStatementTimeout"] = (limit) => (reads) =>
    client.withTransaction(
      Effect.gen(function* () {
        yield* client`select set_config('statement_timeout', ${String(Duration.toMillis(limit))}, true)`
        const found = yield* reads
        // Reset, because an enclosing transaction outlives this one.
        yield* client`set local statement_timeout to default`
        return found
      }).pipe(Effect.provideService(StatementLimit, Duration.fromInputUnsafe(limit)))
    )
  const { config, json, listen, notify } = pool
  return Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId,
    ...{ config, json, listen, notify },
    withStatementTimeout
  })
})

/** A client of the primary's pool, but with connections from `acquirer`. */
export const clientWith = (pool: Pool, acquirer: SqlConnection.Acquirer) =>
  Effect.map(
    clientOn(pool, acquirer),
    (client): Sql => Object.assign(client, { isPrimary: true as const, server: pool.server })
  )

/**
 * A read-only client with connections from `acquirer`. It refuses to read within a transaction of `db`: such a read
 * would see the transaction's changes without a replica, and miss them with one.
 */
export const readerWith = (pool: Pool, acquirer: SqlConnection.Acquirer, db: Sql) => {
  const refused = Effect.die(new Error("A read that may come from a replica was made within a transaction"))
  const outside = Effect.flatMap(Effect.serviceOption(db.transactionService), (transaction) =>
    Option.isSome(transaction) ? refused : acquirer
  )
  return Effect.map(clientOn(pool, outside), (client): ReadSql => Object.assign(client, { isPrimary: false }))
}

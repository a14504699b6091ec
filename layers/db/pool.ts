import { hostname } from "node:os"
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Metric, Option, Predicate, type Redacted } from "effect"
import { SqlClient, type SqlConnection, SqlError, type Statement } from "effect/sql"
import { connectionsInUse, measured, poolRefusals, poolWaitSeconds } from "../telemetry/metrics.ts"
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
}

export interface PoolOptions {
  /** The statement timeout, waits for locks included. Commands need it absent: unlimited. */
  readonly statementTimeout?: Duration.Input
  /** How long a statement or a transaction waits for a connection while all are in use. */
  readonly longestWait?: Duration.Input
  readonly maxConnections?: number
}

/** This process's name in `pg_stat_activity`; PostgreSQL keeps 63 bytes of it. */
export const applicationName = `civic-record ${process.pid}@${hostname()}`.slice(0, 63)

/** A connection pool on one PostgreSQL. Columns and JSON keep their names. */
export const openPool = (url: Redacted.Redacted, { statementTimeout, maxConnections = 20 }: PoolOptions) =>
  PgClient.make({
    url,
    applicationName,
    maxConnections,
    // The first connection is opened on demand, so that a service can start while its replica is down.
    minConnections: 0,
    // Less than the longest wait, so that a silent server can be distinguished from a busy one.
    connectTimeout: "3 seconds",
    idleTimeout: "1 minute",
    maxMessageSize: 256 * 1024 * 1024,
    ...(statementTimeout === undefined
      ? {}
      : { startupParameters: { statement_timeout: String(Duration.toMillis(statementTimeout)) } })
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

/** Whether only our own pool was exhausted, which does not mean that the database is unhealthy. */
export const isNoneFree = ({ reason }: SqlError.SqlError): boolean => reason.operation === "acquire"

/**
 * A connection for one statement or transaction. Fails after `longestWait`; the driver itself would wait forever.
 * Metrics show the wait, and the connections in use, under the pool's name.
 */
export const acquireFrom = (
  pool: PgClient.PgClient,
  name: "primary" | "replica" | "health",
  { longestWait = "5 seconds", statementTimeout }: PoolOptions
): SqlConnection.Acquirer => {
  const labels = { pool: name }
  const inUse = Metric.withAttributes(connectionsInUse, labels)
  const refused = Effect.andThen(Metric.update(Metric.withAttributes(poolRefusals, labels), 1), noneFree)
  return pool.reserve.pipe(
    Effect.timeoutOrElse({ duration: longestWait, orElse: () => refused }),
    measured(Metric.withAttributes(poolWaitSeconds, labels)),
    Effect.tap(() => Effect.acquireRelease(Metric.modify(inUse, 1), () => Metric.modify(inUse, -1))),
    Effect.map((connection) =>
      statementTimeout === undefined ? connection : heard(connection, Duration.fromInputUnsafe(statementTimeout))
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

const clientOn = Effect.fnUntraced(function* (pool: PgClient.PgClient, acquirer: SqlConnection.Acquirer) {
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
export const clientWith = (pool: PgClient.PgClient, acquirer: SqlConnection.Acquirer) =>
  Effect.map(clientOn(pool, acquirer), (client): Sql => Object.assign(client, { isPrimary: true as const }))

/**
 * A read-only client with connections from `acquirer`. It refuses to read within a transaction of `db`: such a read
 * would see the transaction's changes without a replica, and miss them with one.
 */
export const readerWith = (pool: PgClient.PgClient, acquirer: SqlConnection.Acquirer, db: Sql) => {
  const refused = Effect.die(new Error("A read that may come from a replica was made within a transaction"))
  const outside = Effect.flatMap(Effect.serviceOption(db.transactionService), (transaction) =>
    Option.isSome(transaction) ? refused : acquirer
  )
  return Effect.map(clientOn(pool, outside), (client): ReadSql => Object.assign(client, { isPrimary: false }))
}

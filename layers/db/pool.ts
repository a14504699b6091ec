import { hostname } from "node:os"
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Metric, Predicate, type Redacted } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { connectionsInUse, measured, poolRefusals, poolWaitSeconds } from "../telemetry/metrics.ts"

/** A connection to PostgreSQL, or the transaction that the caller has begun; code that runs in the caller's takes one. */
export type Sql = PgClient.PgClient

export interface PoolOptions {
  /** How long a statement may take, its wait for locks included. Unlimited where this is missing, as commands need it. */
  readonly statementTimeout?: Duration.Input
  /** How long a statement or a transaction waits for a connection while all of them are in use. */
  readonly longestWait?: Duration.Input
  readonly maxConnections?: number
}

/** Under this name `pg_stat_activity` lists the connections of this process; PostgreSQL keeps 63 bytes of it. */
export const applicationName = `civic-record ${process.pid}@${hostname()}`.slice(0, 63)

/** A pool on one PostgreSQL. Columns and JSON keep the names they have. */
export const openPool = (url: Redacted.Redacted, { statementTimeout, maxConnections = 20 }: PoolOptions) =>
  PgClient.make({
    url,
    applicationName,
    maxConnections,
    // The first connection is made on demand, so that a service can start while its replica is away.
    minConnections: 0,
    // Less than the longest wait, so that a server that is silent is told from one that is busy.
    connectTimeout: "3 seconds",
    idleTimeout: "1 minute",
    maxMessageSize: 256 * 1024 * 1024,
    ...(statementTimeout === undefined
      ? {}
      : { startupParameters: { statement_timeout: String(Duration.toMillis(statementTimeout)) } })
  })

/** Every connection is in use, and none became free in time. 53300 is PostgreSQL's own code for too many connections. */
const noneFree = Effect.fail(
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: Object.assign(new Error("every connection is in use"), { code: "53300" }),
      message: "No connection to the database became free in time",
      operation: "acquire"
    })
  })
)

/** Whether all of our own connections were in use, which says nothing against the database. */
export const isNoneFree = ({ reason }: SqlError.SqlError): boolean => reason.operation === "acquire"

/**
 * A connection for one statement or transaction. Fails after `longestWait`; the driver itself would wait forever. Metrics
 * show the wait, and how many connections are in use, under the pool's name.
 */
export const acquireFrom = (
  pool: Sql,
  name: "primary" | "replica" | "health",
  { longestWait = "5 seconds" }: PoolOptions
): SqlConnection.Acquirer => {
  const labels = { pool: name }
  const inUse = Metric.withAttributes(connectionsInUse, labels)
  const refused = Effect.andThen(Metric.update(Metric.withAttributes(poolRefusals, labels), 1), noneFree)
  return pool.reserve.pipe(
    Effect.timeoutOrElse({ duration: longestWait, orElse: () => refused }),
    measured(Metric.withAttributes(poolWaitSeconds, labels)),
    Effect.tap(() => Effect.acquireRelease(Metric.modify(inUse, 1), () => Metric.modify(inUse, -1)))
  )
}

/** PostgreSQL answers COMMIT with ROLLBACK where the transaction had already failed. */
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

/** The client of a pool, but with connections from `acquirer`. */
export const clientWith = Effect.fnUntraced(function* (pool: Sql, acquirer: SqlConnection.Acquirer) {
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
  const { config, json, listen, notify } = pool
  return Object.assign(client, { [PgClient.TypeId]: PgClient.TypeId, config, json, listen, notify }) satisfies Sql
})

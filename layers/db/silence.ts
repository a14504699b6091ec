import { Context, Duration, Effect, Fiber } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"

/** How long a statement may take here, where that is not what its pool says. */
export const StatementLimit = Context.Reference<Duration.Duration | undefined>("civic-record/StatementLimit", {
  defaultValue: () => undefined
})

/**
 * The server ends a statement at its limit and says so; one that has said nothing by this many milliseconds
 * later is silent.
 */
const grace = 2000

const silent = Effect.fail(
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: new Error("the server has said nothing past the limit of a statement"),
      message: "The database does not answer",
      operation: "execute"
    })
  })
)

/**
 * A connection of its scope that is given up once the server is silent: a process that was stopped, or a machine that
 * is gone without closing its connections. The driver would wait for as long as that lasts. The statement is left
 * behind, not waited for, and a connection whose scope ends with a statement under way is closed. `onFailure` is told
 * of every statement that failed.
 */
export const heard = (
  connection: SqlConnection.Connection,
  usual: Duration.Duration,
  onFailure: (error: SqlError.SqlError) => Effect.Effect<void>
): SqlConnection.Connection => {
  let isSilent = false
  /** A timer of its own costs less for each statement than a race. */
  const heardFrom = <A>(fiber: Fiber.Fiber<A, SqlError.SqlError>, within: number) =>
    Effect.callback<A, SqlError.SqlError>((resume) => {
      const timer = setTimeout(() => {
        isSilent = true
        fiber.interruptUnsafe()
        resume(silent)
      }, within)
      fiber.addObserver((exit) => {
        clearTimeout(timer)
        resume(exit)
      })
      return Fiber.interrupt(fiber)
    })
  const bounded = <A>(statement: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> =>
    Effect.flatMap(StatementLimit, (limit = usual) => {
      if (isSilent) return silent
      if (!Duration.isFinite(limit)) return statement
      return Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(Effect.forkDetach(restore(Effect.tapError(statement, onFailure))), (fiber) =>
          restore(heardFrom(fiber, Duration.toMillis(limit) + grace))
        )
      )
    })
  return {
    execute: (...args) => bounded(connection.execute(...args)),
    executeRaw: (...args) => bounded(connection.executeRaw(...args)),
    // A stream waits for whoever reads it as much as for the server.
    executeStream: (...args) => connection.executeStream(...args),
    executeValues: (...args) => bounded(connection.executeValues(...args)),
    executeValuesUnprepared: (...args) => bounded(connection.executeValuesUnprepared(...args)),
    executeUnprepared: (...args) => bounded(connection.executeUnprepared(...args))
  }
}

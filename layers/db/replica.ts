import { Effect, Ref } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { isNoneFree, type Sql } from "./pool.ts"

/** How long nobody tries a replica that could not be reached. */
const leftAlone = "5 seconds"

/**
 * Connections of a replica and, while it cannot be reached, of the primary. That it is away, and that it is back, is said
 * once in the log. `isThere` asks it now.
 */
export const replicaOrPrimary = Effect.fnUntraced(function* (
  replica: Sql,
  fromReplica: SqlConnection.Acquirer,
  fromPrimary: SqlConnection.Acquirer
) {
  const isAway = yield* Ref.make(false)
  const away = Effect.fnUntraced(function* (error: SqlError.SqlError) {
    if (yield* Ref.getAndSet(isAway, true)) return
    yield* Effect.logWarning("The replica cannot be reached: reads go to the primary").pipe(
      Effect.annotateLogs("reason", error.message)
    )
  })
  const back = Effect.gen(function* () {
    if (yield* Ref.getAndSet(isAway, false)) yield* Effect.logInfo("The replica is back")
  })

  const isThere = replica`select 1`.pipe(
    Effect.timeout("3 seconds"),
    Effect.matchEffect({
      onSuccess: () => Effect.as(back, true),
      onFailure: (cause) => {
        const error = SqlError.isSqlError(cause)
          ? cause
          : new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, message: "No answer" }) })
        return Effect.as(away(error), false)
      }
    })
  )
  yield* Ref.get(isAway).pipe(
    Effect.flatMap((isTrue) => (isTrue ? isThere : Effect.void)),
    Effect.andThen(Effect.sleep(leftAlone)),
    Effect.forever,
    Effect.forkScoped
  )

  const acquirer: SqlConnection.Acquirer = Effect.flatMap(Ref.get(isAway), (isTrue) =>
    isTrue
      ? fromPrimary
      : Effect.catch(fromReplica, (error) =>
          isNoneFree(error) ? Effect.fail(error) : Effect.andThen(away(error), fromPrimary)
        )
  )
  return { acquirer, isThere }
})

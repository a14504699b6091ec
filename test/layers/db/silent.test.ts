import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { StatementLimit } from "../../../layers/db/silence.ts"
import { whyUnavailable } from "../../../layers/db/unavailable.ts"
import { freshDatabase } from "../../support/database.ts"

const OneConnection = Layer.unwrap(
  Effect.map(freshDatabase, (url) =>
    Db.layerUrl(url, Option.none(), { statementTimeout: "1 second", maxConnections: 1 })
  )
)

/** Suspends the process behind the one connection, until the scope closes. */
const silence = Effect.gen(function* () {
  const db = yield* Db
  const [row] = yield* db<{ pid: number }>`select pg_backend_pid() as pid`
  const pid = row?.pid ?? 0
  yield* Effect.acquireRelease(
    Effect.sync(() => process.kill(pid, "SIGSTOP")),
    () => Effect.sync(() => process.kill(pid, "SIGCONT"))
  )
  return pid
})

describe("a database that falls silent", () => {
  it.live.each([
    ["a statement", Effect.flatMap(Db, (db) => db`select 1`)],
    ["a transaction", Effect.flatMap(Db, (db) => db.withTransaction(db`select 1`))]
  ] as const)("loses the connection of %s past its time limit, and the next caller gets another", ([_, asking]) =>
    Effect.gen(function* () {
      const db = yield* Db
      const pid = yield* silence
      const began = yield* Clock.currentTimeMillis
      const fault = yield* Effect.flip(asking)
      assert.include(whyUnavailable(fault), "cannot be reached")
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 6000)
      const [row] = yield* db<{ pid: number }>`select pg_backend_pid() as pid`
      assert.notStrictEqual(row?.pid, pid)
    }).pipe(Effect.scoped, Effect.provide(OneConnection))
  )

  it.live("lets a statement without a time limit take its time", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* db`set local statement_timeout = 0`.pipe(
        Effect.andThen(db`select pg_sleep(4)`),
        db.withTransaction,
        Effect.provideService(StatementLimit, Duration.infinity)
      )
    }).pipe(Effect.provide(OneConnection))
  )
})

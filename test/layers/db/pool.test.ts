import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Option, Schedule } from "effect"
import { Db, type PoolOptions } from "../../../layers/db/db.ts"
import { whyUnavailable } from "../../../layers/db/unavailable.ts"
import { freshDatabase } from "../../support/database.ts"

const dbWith = (options: PoolOptions) =>
  Layer.unwrap(Effect.map(freshDatabase, (url) => Db.layerUrl(url, Option.none(), options)))

describe("a pool of connections", () => {
  it.live("turns a caller away when no connection becomes free in time, and serves the next", () =>
    Effect.gen(function* () {
      const db = yield* Db
      // Connecting may take long on a busy machine.
      yield* Effect.retry(db`select 1`, Schedule.forever)
      const [begun, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holding = db.withTransaction(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(over)))
      yield* Effect.forkChild(holding)
      yield* Deferred.await(begun)
      for (const attempt of [db`select 1`, db.withTransaction(db`select 1`)]) {
        assert.include(whyUnavailable(yield* Effect.flip(attempt)), "too busy")
      }
      yield* Deferred.succeed(over, undefined)
      assert.lengthOf(yield* db`select 1`, 1)
    }).pipe(Effect.provide(dbWith({ maxConnections: 1, longestWait: "200 millis" })))
  )

  it.live("ends a statement that takes too long", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const fault = yield* Effect.flip(db`select pg_sleep(60)`)
      assert.strictEqual(fault.reason._tag, "StatementTimeoutError")
      assert.include(whyUnavailable(fault), "too busy")
    }).pipe(Effect.provide(dbWith({ statementTimeout: "50 millis" })))
  )

  it.live("does not treat a transaction as committed if a statement in it failed", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const failed = yield* Effect.flip(db.withTransaction(Effect.ignore(db`select 1 / 0`)))
      assert.include(failed.message, "COMMIT")
    }).pipe(Effect.provide(dbWith({})))
  )
})

import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Redacted, Schedule } from "effect"
import { Db, DbUse, type PoolOptions } from "../../../layers/db/db.ts"
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

  it.live("keeps the connections that it has when no more can be opened", () =>
    Effect.gen(function* () {
      const url = new URL(Redacted.value(yield* freshDatabase))
      const [host, port] = [url.hostname, Number(url.port)]
      // The way to a server that takes no more than one connection.
      let taken = 0
      const way = net.createServer((socket) => {
        if (taken++ > 0) return socket.destroy()
        const onward = net.connect(port, host)
        socket.pipe(onward).pipe(socket)
        for (const end of [socket, onward]) end.on("error", () => undefined)
      })
      yield* Effect.acquireRelease(
        Effect.promise(() => new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve))),
        () => Effect.sync(() => way.close())
      )
      const address = way.address()
      url.port = String(typeof address === "object" ? address?.port : address)
      yield* Effect.gen(function* () {
        const db = yield* Db
        const use = yield* DbUse
        const switches = yield* use.switches
        const [begun, refused] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const kept = yield* Effect.forkChild(
          db.withTransaction(
            db`select 1`.pipe(
              Effect.andThen(Deferred.succeed(begun, undefined)),
              Effect.andThen(Deferred.await(refused)),
              Effect.andThen(db`select 3 as n`)
            )
          )
        )
        yield* Deferred.await(begun)
        // Longer than a pool waits before it looks for another server.
        yield* Effect.sleep("1100 millis")
        assert.include(whyUnavailable(yield* Effect.flip(db`select 2`)), "reached")
        yield* Deferred.succeed(refused, undefined)
        assert.deepStrictEqual(yield* Fiber.join(kept), [{ n: 3 }])
        // There is no other server to go to.
        assert.strictEqual(yield* use.switches, switches)
      }).pipe(Effect.provide(Db.layerUrl(Redacted.make(url.href))))
    })
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

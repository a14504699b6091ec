import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { Db, DbHealth, ReadDb } from "../../../layers/db/db.ts"
import { freshDatabase } from "../../support/database.ts"
import { eventually } from "../../support/rendering.ts"

/** A way to a server that can be cut and opened again, on one port. */
const wayTo = Effect.fnUntraced(function* (host: string, target: number) {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    const onward = net.connect(target, host)
    for (const [from, to] of [
      [socket, onward],
      [onward, socket]
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on("error", () => to.destroy())
      from.on("close", () => sockets.delete(from))
    }
  })
  const listen = (port: number) =>
    Effect.callback<number>((resume) => {
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
  const cut = Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    for (const socket of sockets) socket.destroy()
  })
  const port = yield* Effect.acquireRelease(listen(0), () => cut)
  return { port, cut, open: listen(port) }
})

describe("a replica", () => {
  it.live("answers public reads; while it is away the primary does, and health says so", () =>
    Effect.gen(function* () {
      // Two databases that are told apart by their names: what is read from tells where it was read.
      const [primary, replica] = [yield* freshDatabase, yield* freshDatabase]
      const url = new URL(Redacted.value(replica))
      const way = yield* wayTo(url.hostname, Number(url.port))
      url.port = String(way.port)
      yield* Effect.gen(function* () {
        const db = yield* ReadDb
        const health = yield* DbHealth
        const readFrom = Effect.map(db<{ name: string }>`select current_database() as name`, ([row]) => row?.name)
        const [here, there] = [primary, replica].map((one) => new URL(Redacted.value(one)).pathname.slice(1))
        const until = (name: string | undefined) =>
          eventually(Effect.map(Effect.option(readFrom), (found) => (Option.contains(found, name) ? true : undefined)))

        assert.strictEqual(yield* readFrom, there)
        assert.deepStrictEqual(yield* health.replica, Option.some(true))
        yield* way.cut
        yield* until(here)
        assert.deepStrictEqual(yield* health.replica, Option.some(false))
        assert.strictEqual(yield* readFrom, here)
        yield* way.open
        assert.deepStrictEqual(yield* health.replica, Option.some(true))
        assert.strictEqual(yield* readFrom, there)
      }).pipe(Effect.provide(Db.layerUrl(primary, Option.some(Redacted.make(url.href)))))
    })
  )

  it.live("that is not there does not keep the service from starting", () =>
    Effect.gen(function* () {
      const primary = yield* freshDatabase
      const nowhere = Redacted.make("postgres://civic:none@127.0.0.1:1/record")
      yield* Effect.gen(function* () {
        assert.lengthOf(yield* (yield* ReadDb)`select 1`, 1)
      }).pipe(Effect.provide(Layer.fresh(Db.layerUrl(primary, Option.some(nowhere)))))
    })
  )
})

import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { ask } from "../support/asked.ts"
import { probeRoutes } from "../support/probe.ts"
import { served } from "../support/served.ts"

const connects = (port: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const socket = net.connect(port, "127.0.0.1")
    socket.on("connect", () => {
      socket.destroy()
      resume(Effect.succeed(true))
    })
    socket.on("error", () => resume(Effect.succeed(false)))
  })

describe("a server that is stopping", () => {
  it.live("takes no new connection, and finishes requests that it has begun", () =>
    Effect.gen(function* () {
      const gate = { reached: yield* Deferred.make<void>(), opened: yield* Deferred.make<void>() }
      const scope = yield* Scope.make()
      const { base, port } = yield* Scope.provide(served({ routes: probeRoutes(gate) }), scope)
      const begun = yield* Effect.forkChild(ask(`${base}/probe/slow`))
      yield* Deferred.await(gate.reached)
      assert.isTrue(yield* connects(port))
      const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Effect.repeat(connects(port), { while: (open) => open })
      yield* Deferred.succeed(gate.opened, undefined)
      const answer = yield* Fiber.join(begun)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.json(), "in the end" as never)
      yield* Fiber.join(stopping)
    })
  )
})

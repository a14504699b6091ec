import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Result } from "effect"
import { makeSharedWork } from "../../src/services/shared-work.ts"

/** Work that counts its starts and ends on demand. */
const work = Effect.gen(function* () {
  const share = makeSharedWork<string, string, string>()
  const end = yield* Deferred.make<string, string>()
  const seen = { begun: 0, interrupted: 0 }
  const one = Effect.suspend(() => {
    seen.begun++
    return Effect.onInterrupt(Deferred.await(end), () => Effect.sync(() => seen.interrupted++))
  })
  /** Requests it, and waits until the request has been made. */
  const ask = Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(share("key", one))
    yield* Effect.yieldNow
    yield* Effect.yieldNow
    return fiber
  })
  return { ask, end, seen }
})

describe("shared work", () => {
  it.effect("is done once for all callers who wait for it, and again for those who come later", () =>
    Effect.gen(function* () {
      const { ask, end, seen } = yield* work
      const fibers = yield* Effect.all(Array.from({ length: 50 }, () => ask))
      yield* Deferred.succeed(end, "done")
      for (const fiber of fibers) assert.strictEqual(yield* Fiber.join(fiber), "done")
      assert.strictEqual(seen.begun, 1)
      yield* Fiber.join(yield* ask)
      assert.strictEqual(seen.begun, 2)
    })
  )

  it.effect("continues when the caller that began it leaves, and is interrupted when the last one does", () =>
    Effect.gen(function* () {
      const { ask, end, seen } = yield* work
      const [first, second] = [yield* ask, yield* ask]
      yield* Fiber.interrupt(first)
      assert.deepStrictEqual(seen, { begun: 1, interrupted: 0 })
      yield* Fiber.interrupt(second)
      assert.deepStrictEqual(seen, { begun: 1, interrupted: 1 })
      const [third, fourth] = [yield* ask, yield* ask]
      yield* Fiber.interrupt(third)
      yield* Deferred.succeed(end, "done")
      assert.strictEqual(yield* Fiber.join(fourth), "done")
      assert.deepStrictEqual(seen, { begun: 2, interrupted: 1 })
    })
  )

  it.effect("fails for all callers who wait for it, and for nobody else", () =>
    Effect.gen(function* () {
      const share = makeSharedWork<string, string, string>()
      const end = yield* Deferred.make<string, string>()
      const failing = yield* Effect.forkChild(Effect.result(share("key", Deferred.await(end))))
      yield* Effect.yieldNow
      yield* Deferred.fail(end, "broken")
      assert.deepStrictEqual(yield* Fiber.join(failing), Result.fail("broken"))
      assert.strictEqual(yield* share("key", Effect.succeed("mended")), "mended")
    })
  )
})

import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { RateLimits, type RatePolicy } from "../../layers/rate-limits.ts"
import { freePort } from "../support/free-port.ts"

const policy: RatePolicy = { name: "test", limit: 3, windowSeconds: 60 }

const consume = (key: string, of = policy) => RateLimits.use((limits) => limits.consume(of, key))

describe("RateLimits in memory", () => {
  it.effect("counts each policy and each key separately, and resets once the window is over", () =>
    Effect.gen(function* () {
      for (const remaining of [2, 1, 0]) {
        const taken = yield* consume("a")
        assert.deepStrictEqual([taken.allowed, taken.remaining], [true, remaining])
      }
      const refused = yield* consume("a")
      assert.deepStrictEqual(refused, { allowed: false, remaining: 0, resetSeconds: 60 })
      assert.isTrue((yield* consume("b")).allowed)
      assert.isTrue((yield* consume("a", { ...policy, name: "other" })).allowed)
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(yield* consume("a"), { allowed: false, remaining: 0, resetSeconds: 1 })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* consume("a"), { allowed: true, remaining: 2, resetSeconds: 20 })
    }).pipe(Effect.provide(RateLimits.layerMemory))
  )

  it.effect("still counts a key after many others came and went", () =>
    Effect.gen(function* () {
      for (let key = 0; key < 20_000; key++) yield* consume(`gone ${key}`)
      yield* TestClock.adjust("1 minute")
      yield* consume("kept")
      for (let key = 0; key < 20_000; key++) yield* consume(`new ${key}`)
      assert.strictEqual((yield* consume("kept")).remaining, 1)
    }).pipe(Effect.provide(RateLimits.layerMemory))
  )

  it.effect("counts a bounded number of keys, and forgets the least recently counted", () =>
    Effect.gen(function* () {
      yield* consume("idle")
      yield* consume("busy")
      for (let key = 0; key < 100_000; key++) {
        yield* consume(`new ${key}`)
        if (key === 50_000) yield* consume("busy")
      }
      assert.deepStrictEqual([(yield* consume("busy")).remaining, (yield* consume("idle")).remaining], [0, 2])
    }).pipe(Effect.provide(RateLimits.layerMemory))
  )
})

const binary = process.env.REDIS_SERVER ?? "redis-server"
const hasRedis = (() => {
  try {
    execFileSync(binary, ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()
if (!hasRedis) console.warn("RateLimits in Redis: skipped, because there is no redis-server on the path")

const startRedis = (port: number) =>
  Effect.callback<ChildProcess>((resume) => {
    const child = spawn(binary, ["--port", String(port), "--save", "", "--bind", "127.0.0.1"], { stdio: "pipe" })
    child.stdout?.on("data", (text) => {
      if (String(text).includes("Ready to accept connections")) resume(Effect.succeed(child))
    })
  })

const stopRedis = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

const warnings = () => {
  const found: Array<string> = []
  const layer = Logger.layer([
    Logger.make(({ logLevel, message }) => {
      if (logLevel === "Warn") found.push(String([message].flat()[0]))
    })
  ])
  return { found, layer }
}

/** Two processes on one Redis, as far as counting is concerned. */
const two = (port: number, logger: Layer.Layer<never>) => {
  const make = Effect.map(
    Layer.build(
      Layer.fresh(RateLimits.layerRedis(Redacted.make(`redis://127.0.0.1:${port}`))).pipe(Layer.provide(logger))
    ),
    (context) => (key: string) => consume(key).pipe(Effect.provide(context), Effect.provide(logger))
  )
  return Effect.all([make, make])
}

describe("RateLimits in Redis", () => {
  it.live.skipIf(!hasRedis)("counts for all processes; without it each counts for itself, and logs that once", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const redis = yield* Effect.acquireRelease(startRedis(port), stopRedis)
      const { found, layer } = warnings()
      const [one, other] = yield* two(port, layer)
      // Each connects by itself; until then, it counts alone.
      let round = 0
      yield* Effect.repeat(
        Effect.gen(function* () {
          const key = `round ${++round}`
          yield* one(key)
          return (yield* other(key)).remaining
        }),
        { while: (remaining) => remaining !== 1 }
      )
      yield* one("a")
      yield* other("a")
      yield* one("a")
      assert.isFalse((yield* other("a")).allowed)

      yield* stopRedis(redis)
      assert.deepStrictEqual(
        [(yield* one("b")).remaining, (yield* one("b")).remaining, (yield* other("b")).remaining],
        [2, 1, 2]
      )
      assert.deepStrictEqual(
        found,
        Array(2).fill("Redis cannot be reached: each process counts its rate limits for itself")
      )
    })
  )

  it.live("lets requests through from the start if there is no Redis", () =>
    Effect.gen(function* () {
      const { found, layer } = warnings()
      const [one] = yield* two(yield* freePort, layer)
      assert.strictEqual((yield* one("a")).remaining, 2)
      assert.strictEqual((yield* one("a")).remaining, 1)
      yield* Effect.repeat(
        Effect.sync(() => found.length),
        { while: (count) => count < 2 }
      )
    })
  )
})

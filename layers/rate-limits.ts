import { Clock, Context, Duration, Effect, Layer, Metric, Option, Redacted, Ref, References, Schedule } from "effect"
import { RateLimiter } from "effect/persistence"
import { Environment } from "./config.ts"
import { rateLimitRefusals } from "./metrics.ts"

/** How often a caller may do something per window; `name` is its name in the RateLimit headers. */
export interface RatePolicy {
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
}

/** What is left of a policy after one request; all of it is back after `resetSeconds`, at least 1. */
export interface RateStanding {
  readonly allowed: boolean
  readonly remaining: number
  readonly resetSeconds: number
}

type Limiter = RateLimiter.RateLimiter

/** Counts requests by policy and key, for this process or, with `REDIS_URL`, across all of them (spec section 8). */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Never fails: while Redis is unreachable, this process counts for itself. */
    readonly consume: (policy: RatePolicy, key: string) => Effect.Effect<RateStanding>
  }
>()("civic-record/RateLimits") {
  /** Counts in this process only. */
  static readonly layerMemory = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const limiter = yield* memoryLimiter
      // Without a span: it would cost more than the counting.
      return { consume: (policy, key) => counted(policy, Effect.orDie(take(limiter, policy, key))) }
    })
  )

  /** Counts in Redis. While Redis is unreachable, which is logged once, this process counts for itself. */
  static readonly layerRedis = (url: Redacted.Redacted) =>
    Layer.effect(
      RateLimits,
      Effect.gen(function* () {
        const own = yield* memoryLimiter
        const shared = yield* Ref.make(Option.none<Limiter>())
        const isAway = yield* Ref.make(false)
        const away = Effect.fnUntraced(function* (reason: Error) {
          if (yield* Ref.getAndSet(isAway, true)) return
          yield* Effect.logWarning("Redis cannot be reached: each process counts its rate limits for itself").pipe(
            Effect.annotateLogs("reason", String(reason))
          )
        })

        yield* Layer.build(redisLimiter(url)).pipe(
          Effect.tapError(away),
          Effect.retry(Schedule.spaced("5 seconds")),
          Effect.flatMap((context) => Ref.set(shared, Option.some(Context.get(context, RateLimiter.RateLimiter)))),
          Effect.forkScoped
        )

        return {
          consume: Effect.fn("RateLimits.consume")(function* (policy: RatePolicy, key: string) {
            const limiter = yield* Ref.get(shared)
            const alone = Effect.orDie(take(own, policy, key))
            if (Option.isNone(limiter)) return yield* counted(policy, alone)
            return yield* take(limiter.value, policy, key).pipe(
              Effect.timeout(redisTimeout),
              Effect.tap(() => Ref.set(isAway, false)),
              Effect.catch((reason) => Effect.andThen(away(reason), alone)),
              (standing) => counted(policy, standing)
            )
          })
        }
      })
    )

  static readonly layer = Layer.unwrap(
    Effect.map(Environment, ({ redisUrl }) =>
      Option.match(redisUrl, { onNone: () => RateLimits.layerMemory, onSome: RateLimits.layerRedis })
    )
  )
}

/** Counts a refusal in the metrics. */
const counted = (policy: RatePolicy, standing: Effect.Effect<RateStanding>) =>
  Effect.tap(standing, ({ allowed }) =>
    allowed ? Effect.void : Metric.update(Metric.withAttributes(rateLimitRefusals, { policy: policy.name }), 1)
  )

/** A reader must not wait for a Redis that does not answer. */
const redisTimeout = Duration.millis(250)

const take = (limiter: Limiter, policy: RatePolicy, key: string) => {
  const standing = (allowed: boolean, remaining: number, reset: Duration.Duration): RateStanding => ({
    allowed,
    remaining,
    resetSeconds: Math.max(1, Math.ceil(Duration.toSeconds(reset)))
  })
  return limiter
    .consume({ key: `${policy.name}:${key}`, limit: policy.limit, window: Duration.seconds(policy.windowSeconds) })
    .pipe(
      Effect.map((taken) => standing(true, taken.remaining, taken.resetAfter)),
      Effect.catch((error) =>
        error.reason._tag === "RateLimitExceeded"
          ? Effect.succeed(standing(false, 0, error.reason.retryAfter))
          : Effect.fail(error)
      )
    )
}

/** Expired counters are swept each time this many keys have been added. */
const sweepEvery = 10_000

/** The library's memory store keeps a counter for every key it has ever seen; this one forgets the expired ones. */
const memoryStore = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.gen(function* () {
    const library = yield* RateLimiter.RateLimiterStore
    const clock = yield* Clock.Clock
    const counters = new Map<string, { count: number; expiresAt: number }>()
    let nextSweep = sweepEvery
    const sweep = (now: number) => {
      for (const [key, counter] of counters) if (counter.expiresAt <= now) counters.delete(key)
      nextSweep = counters.size + sweepEvery
    }
    return {
      ...library,
      fixedWindow: ({ key, tokens, refillRate, limit }) =>
        Effect.sync(() => {
          const now = clock.currentTimeMillisUnsafe()
          const found = counters.get(key)
          const counter = found !== undefined && found.expiresAt > now ? found : { count: 0, expiresAt: now }
          if (limit !== undefined && counter.count + tokens > limit) {
            return [counter.count + tokens, counter.expiresAt - now] as const
          }
          counter.count += tokens
          counter.expiresAt += Duration.toMillis(refillRate) * tokens
          counters.set(key, counter)
          if (counters.size >= nextSweep) sweep(now)
          return [counter.count, counter.expiresAt - now] as const
        })
    }
  })
).pipe(Layer.provide(RateLimiter.layerStoreMemory))

const memoryLimiter = Layer.build(RateLimiter.layer.pipe(Layer.provide(memoryStore))).pipe(
  Effect.map(Context.get(RateLimiter.RateLimiter))
)

const redisLimiter = (url: Redacted.Redacted) =>
  RateLimiter.layer.pipe(
    Layer.provide(RateLimiter.layerStoreRedis({ prefix: "civic-record:rate:" })),
    // Its hundreds of modules are loaded only where there is a Redis.
    Layer.provide(
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("@effect/platform-node/NodeRedis")),
          (NodeRedis) =>
            NodeRedis.layer({ url: Redacted.value(url), disableOfflineQueue: true, socket: { connectTimeout: 2000 } })
        )
      )
    ),
    // The client logs a warning at every reconnect; once, above, is enough.
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )

import { Clock, Context, Duration, Effect, Layer, Metric, Option, Redacted, Ref, References, Schedule } from "effect"
import { RateLimiter } from "effect/persistence"
import { LRUCache } from "lru-cache"
import { Environment } from "./config/config.ts"
import { rateLimitRefusals } from "./telemetry/metrics.ts"

/** A limit per window; `name` is its name in the RateLimit headers. */
export interface RatePolicy {
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
}

/** The quota that remains after a request; it resets fully after `resetSeconds`, at least 1. */
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
    /** Never fails: while Redis is unreachable, this process counts locally. */
    readonly consume: (policy: RatePolicy, key: string) => Effect.Effect<RateStanding>
  }
>()("civic-record/RateLimits") {
  /** Counts in this process only. */
  static readonly layerMemory = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const take = yield* memoryCounters
      // No span: it would cost more than the counting.
      return { consume: (policy, key) => counted(policy, take(policy, key)) }
    })
  )

  /** Counts in Redis. While Redis is unreachable, which is logged once, this process counts locally. */
  static readonly layerRedis = (url: Redacted.Redacted) =>
    Layer.effect(
      RateLimits,
      Effect.gen(function* () {
        const own = yield* memoryCounters
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
            const alone = own(policy, key)
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
const counted = <E>(policy: RatePolicy, standing: Effect.Effect<RateStanding, E>) =>
  Effect.tap(standing, ({ allowed }) =>
    allowed ? Effect.void : Metric.update(Metric.withAttributes(rateLimitRefusals, { policy: policy.name }), 1)
  )

const standing = (allowed: boolean, remaining: number, resetMillis: number): RateStanding => ({
  allowed,
  remaining,
  resetSeconds: Math.max(1, Math.ceil(resetMillis / 1000))
})

/** A reader must not wait for an unresponsive Redis. */
const redisTimeout = Duration.millis(250)

const take = (limiter: Limiter, policy: RatePolicy, key: string) =>
  limiter
    .consume({ key: `${policy.name}:${key}`, limit: policy.limit, window: Duration.seconds(policy.windowSeconds) })
    .pipe(
      Effect.map(({ remaining, resetAfter }) => standing(true, remaining, Duration.toMillis(resetAfter))),
      Effect.catch((error) =>
        error.reason._tag === "RateLimitExceeded"
          ? Effect.succeed(standing(false, 0, Duration.toMillis(error.reason.retryAfter)))
          : Effect.fail(error)
      )
    )

/**
 * The most keys counted at once; the least recently used is evicted. A caller would need more addresses than this to
 * get its own counter evicted.
 */
const mostCounters = 100_000

/**
 * In-memory counters that count as the library does in Redis: each request extends its counter's lifetime by its share
 * of the window. The library's own in-memory store would retain every key ever seen.
 */
const memoryCounters = Effect.map(Clock.Clock, (clock) => {
  const counters = new LRUCache<string, { count: number; expiresAt: number }>({ max: mostCounters })
  return ({ limit, name, windowSeconds }: RatePolicy, key: string): Effect.Effect<RateStanding> =>
    Effect.sync(() => {
      const id = `${name}:${key}`
      const now = clock.currentTimeMillisUnsafe()
      const found = counters.get(id)
      const counter = found !== undefined && found.expiresAt > now ? found : { count: 0, expiresAt: now }
      if (counter.count >= limit) return standing(false, 0, counter.expiresAt - now)
      counter.count++
      counter.expiresAt += (windowSeconds * 1000) / limit
      if (counter !== found) counters.set(id, counter)
      return standing(true, limit - counter.count, counter.expiresAt - now)
    })
})

const redisLimiter = (url: Redacted.Redacted) =>
  RateLimiter.layer.pipe(
    Layer.provide(RateLimiter.layerStoreRedis({ prefix: "civic-record:rate:" })),
    // Loaded only if Redis is configured: it has hundreds of modules.
    Layer.provide(
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("@effect/platform-node/NodeRedis")),
          (NodeRedis) =>
            NodeRedis.layer({ url: Redacted.value(url), disableOfflineQueue: true, socket: { connectTimeout: 2000 } })
        )
      )
    ),
    // The client emits a warning at every reconnect; the one log line above is enough.
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )

import { Clock, Context, Duration, Effect, Layer, Metric, Option, Redacted, Ref, References, Schedule } from "effect"
import { RateLimiter } from "effect/persistence"
import { Environment } from "./config/config.ts"
import type { Ask } from "./processes/channel.ts"
import { makeRateCounters, type RatePolicy, type RateStanding, standing } from "./processes/rate-counters.ts"
import { type ParentAnswers, Siblings } from "./processes/siblings.ts"
import { rateLimitRefusals } from "./telemetry/metrics.ts"

export type { RatePolicy, RateStanding } from "./processes/rate-counters.ts"

type Limiter = RateLimiter.RateLimiter

/**
 * Counts requests by policy and key (spec section 8): for all processes of this machine's service or, with `REDIS_URL`,
 * of all machines.
 */
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

  /** The parent counts for all processes that it started. They end with it, so it is never away. */
  static readonly layerParent = (ask: Ask<ParentAnswers>) =>
    Layer.succeed(RateLimits, {
      consume: (policy, key) =>
        counted(
          policy,
          Effect.promise(() => ask("consume", policy, key))
        )
    })

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
    Effect.gen(function* () {
      const { redisUrl } = yield* Environment
      const { ask } = yield* Siblings
      if (Option.isSome(redisUrl)) return RateLimits.layerRedis(redisUrl.value)
      return ask === undefined ? RateLimits.layerMemory : RateLimits.layerParent(ask)
    })
  )
}

/** Counts a refusal in the metrics. */
const counted = <E>(policy: RatePolicy, standing: Effect.Effect<RateStanding, E>) =>
  Effect.tap(standing, ({ allowed }) =>
    allowed ? Effect.void : Metric.update(Metric.withAttributes(rateLimitRefusals, { policy: policy.name }), 1)
  )

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

/** Counters of this process, by its clock. */
const memoryCounters = Effect.map(Clock.Clock, (clock) => {
  const take = makeRateCounters(() => clock.currentTimeMillisUnsafe())
  return (policy: RatePolicy, key: string) => Effect.sync(() => take(policy, key))
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

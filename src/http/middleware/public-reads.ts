import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { RateLimits, type RatePolicy } from "../../../layers/rate-limits.ts"
import { rateLimited } from "../../api/errors/common.ts"
import { PublicRead } from "../../api/middleware.ts"
import { rateLimitHeaders } from "../../failures/rate-limit-headers.ts"
import { clientNetwork } from "../client-network.ts"
import { answerWithHeaders } from "../problem.ts"

/**
 * Counts one request against a policy, and puts the remaining allowance on the answer; fails with `RateLimited` past
 * the limit. `whose` names in the refusal what `key` stands for.
 */
export const countRequest = (
  limits: RateLimits["Service"],
  policy: RatePolicy,
  key: string,
  whose: "address" | "account"
) =>
  Effect.flatMap(limits.consume(policy, key), (standing) => {
    const headers = rateLimitHeaders(policy, standing)
    return standing.allowed
      ? answerWithHeaders(headers)
      : Effect.fail(rateLimited(policy, whose, standing.resetSeconds, headers))
  })

/** Spec section 8: counts the current request as a public read, 300 per minute and client address by default. */
export const countingPublicReads = Effect.gen(function* () {
  const limits = yield* RateLimits
  const { publicReadLimit } = yield* Environment
  const policy = { name: "public-read", limit: publicReadLimit, windowSeconds: 60 }
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
    countRequest(limits, policy, clientNetwork(remoteAddress), "address")
  )
})

export const PublicReadLive = Layer.effect(
  PublicRead,
  Effect.map(countingPublicReads, (counted) => (handler) => Effect.andThen(counted, handler))
)

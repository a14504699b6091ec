import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { Environment } from "../../../layers/config.ts"
import { RateLimits, type RatePolicy } from "../../../layers/rate-limits.ts"
import { rateLimited } from "../../api/errors/common.ts"
import { PublicRead } from "../../api/middleware.ts"
import { clientNetwork } from "../client-network.ts"
import { answerWithHeaders } from "../problem.ts"
import { rateLimitHeaders } from "../rate-limit-headers.ts"

/**
 * Counts one request against a policy: headers with the remaining allowance, and the refusal past the limit. `whose`
 * names in the refusal what `key` stands for.
 */
const counted = (limits: RateLimits["Service"], policy: RatePolicy, key: string, whose: "address" | "account") =>
  Effect.map(limits.consume(policy, key), (standing) => {
    const headers = rateLimitHeaders(policy, standing)
    const refusal = standing.allowed ? undefined : rateLimited(policy, whose, standing.resetSeconds, headers)
    return { headers, refusal }
  })

type Counted = Effect.Success<ReturnType<typeof counted>>

const enforced = ({ headers, refusal }: Counted) =>
  refusal === undefined ? answerWithHeaders(headers) : Effect.fail(refusal)

/**
 * Counts one request against a policy, and puts the remaining allowance on the answer; fails with `RateLimited` past
 * the limit.
 */
export const countRequest = (...request: Parameters<typeof counted>) => Effect.flatMap(counted(...request), enforced)

/** Spec section 8: counts a public read, 300 per minute and client address at the default setting. */
export const publicReads = Effect.gen(function* () {
  const limits = yield* RateLimits
  const { publicReadLimit } = yield* Environment
  const policy = { name: "public-read", limit: publicReadLimit, windowSeconds: 60 }
  return ({ remoteAddress }: Pick<HttpServerRequest.HttpServerRequest, "remoteAddress">) =>
    counted(limits, policy, clientNetwork(remoteAddress), "address")
})

/** The same for the current request, enforced. */
export const countingPublicReads = Effect.map(publicReads, (count) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => Effect.flatMap(count(request), enforced))
)

export const PublicReadLive = Layer.effect(
  PublicRead,
  Effect.map(countingPublicReads, (counted) => (handler) => Effect.andThen(counted, handler))
)

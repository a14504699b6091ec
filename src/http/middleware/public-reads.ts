import { Effect, Layer, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"
import { Environment } from "../../../layers/config.ts"
import { RateLimits, type RatePolicy, type RateStanding } from "../../../layers/rate-limits.ts"
import { rateLimited } from "../../api/errors/common.ts"
import { PublicRead } from "../../api/middleware.ts"
import { answerWithHeaders } from "../problem.ts"

/**
 * What a client is counted by: an IPv4 address as it is, an IPv6 address by its /64, which is what one subscriber has.
 * Addresses that cannot be read are counted together.
 */
export const clientNetwork = (address: Option.Option<string>): string =>
  Option.match(address, {
    onNone: () => "unknown",
    onSome: (text) =>
      Result.match(NetAddress.ipFromString(text.replace(/%.*$/, "")), {
        onFailure: () => "unknown",
        onSuccess: (parsed) => {
          const ip = NetAddress.toCanonical(parsed)
          return NetAddress.isIpv4Address(ip)
            ? NetAddress.formatIp(ip)
            : IpNetwork.format(IpNetwork.fromAddressUnsafe(ip, 64))
        }
      })
  })

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11), and `Retry-After` once refused. */
export const rateLimitHeaders = (policy: RatePolicy, standing: RateStanding): Readonly<Record<string, string>> => ({
  "ratelimit-policy": `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`,
  ratelimit: `"${policy.name}";r=${standing.remaining};t=${standing.resetSeconds}`,
  ...(standing.allowed ? {} : { "retry-after": String(standing.resetSeconds) })
})

/**
 * Counts one request against a policy; fails with `RateLimited` past the limit. The headers go onto whatever is answered.
 * `whose` names in the refusal what is counted by `key`.
 */
export const countRequest = Effect.fnUntraced(function* (
  limits: RateLimits["Service"],
  policy: RatePolicy,
  key: string,
  whose: "address" | "account"
) {
  const standing = yield* limits.consume(policy, key)
  const headers = rateLimitHeaders(policy, standing)
  yield* answerWithHeaders(headers)
  if (!standing.allowed) {
    return yield* Effect.fail(rateLimited(policy.limit, policy.windowSeconds, standing.resetSeconds, whose))
  }
})

/** Spec section 8: counts a public read, 300 a minute and client address at the default setting. */
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

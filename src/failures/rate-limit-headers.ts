import type { RatePolicy, RateStanding } from "../../layers/rate-limits.ts"

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11), and `Retry-After` once refused. */
export const rateLimitHeaders = (policy: RatePolicy, standing: RateStanding): Readonly<Record<string, string>> => ({
  "ratelimit-policy": `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`,
  ratelimit: `"${policy.name}";r=${standing.remaining};t=${standing.resetSeconds}`,
  ...(standing.allowed ? {} : { "retry-after": String(standing.resetSeconds) })
})

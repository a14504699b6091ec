import { WebFailed } from "./failure.ts"

const shortestHold = 5
const longestHold = 24 * 3600

/** The seconds in a `Retry-After` of either form (RFC 9110, section 10.2.3), clamped. */
export const secondsOf = (retryAfter: string | undefined, now: number): number => {
  const seconds = /^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) : (Date.parse(retryAfter ?? "") - now) / 1000
  return Math.min(longestHold, Math.max(shortestHold, Number.isNaN(seconds) ? 60 : Math.ceil(seconds)))
}

/** The failure for a status; undefined if it is a success. */
export const failureOf = (status: number): WebFailed | undefined => {
  if ((status >= 200 && status < 300) || status === 304 || status === 416) return undefined
  if (status === 404 || status === 410) {
    return new WebFailed({ reason: "gone", message: `Nothing was found at its address (HTTP ${status}).` })
  }
  return new WebFailed({
    reason: status >= 500 ? "unreachable" : "refused",
    message: `The server answered with HTTP ${status}.`
  })
}

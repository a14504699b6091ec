import { LRUCache } from "lru-cache"

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

/** The standing after a request, `resetMillis` before the window is over. */
export const standing = (allowed: boolean, remaining: number, resetMillis: number): RateStanding => ({
  allowed,
  remaining,
  resetSeconds: Math.max(1, Math.ceil(resetMillis / 1000))
})

/**
 * The most keys counted at once; the least recently used is evicted. A caller would need more addresses than this to
 * get its own counter evicted.
 */
const mostCounters = 100_000

/**
 * In-memory counters that count as the library does in Redis: each request extends its counter's lifetime by its share
 * of the window. The library's own in-memory store would retain every key ever seen. `now` is in milliseconds.
 */
export const makeRateCounters = (now: () => number) => {
  const counters = new LRUCache<string, { count: number; expiresAt: number }>({ max: mostCounters })
  return ({ limit, name, windowSeconds }: RatePolicy, key: string): RateStanding => {
    const id = `${name}:${key}`
    const at = now()
    const found = counters.get(id)
    const counter = found !== undefined && found.expiresAt > at ? found : { count: 0, expiresAt: at }
    if (counter.count >= limit) return standing(false, 0, counter.expiresAt - at)
    counter.count++
    counter.expiresAt += (windowSeconds * 1000) / limit
    if (counter !== found) counters.set(id, counter)
    return standing(true, limit - counter.count, counter.expiresAt - at)
  }
}

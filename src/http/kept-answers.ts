import type { HttpServerResponse } from "effect/http"

/** What an entry occupies besides its body, in bytes: its headers, its place in the map. An estimate from above. */
const overhead = 2048

/** The part of the bound that one answer may take. */
const largestShare = 1 / 4

/**
 * Answers by key, those that were asked for last, within a bound in bytes. A body without a known length is not kept, nor
 * one larger than a quarter of the bound.
 */
export const makeKeptAnswers = (bound: number) => {
  /** In the order in which they were last asked for. */
  const kept = new Map<string, { readonly response: HttpServerResponse.HttpServerResponse; readonly bytes: number }>()
  let total = 0

  const drop = (key: string) => {
    total -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  return {
    get: (key: string): HttpServerResponse.HttpServerResponse | undefined => {
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.response
    },
    put: (key: string, response: HttpServerResponse.HttpServerResponse): void => {
      if (response.body._tag !== "Uint8Array") return
      const bytes = response.body.body.byteLength + 2 * key.length + overhead
      if (bytes > bound * largestShare) return
      drop(key)
      kept.set(key, { response, bytes })
      total += bytes
      for (const oldest of kept.keys()) {
        if (total <= bound) break
        drop(oldest)
      }
    },
    /** In bytes. */
    size: (): number => total
  }
}

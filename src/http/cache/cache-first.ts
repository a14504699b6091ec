import { Effect, Metric, Option } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { capacityRefusals, countAnswer } from "../../../layers/telemetry/metrics.ts"
import type { ContentCoding } from "../../services/meetings/transcripts.ts"
import { Capacity } from "../middleware/capacity.ts"
import { countingPublicReads } from "../middleware/public-reads.ts"
import { pageAddress } from "../pages/show.ts"
import { problemResponse } from "../problem.ts"
import { type CachedOperation, canonicalTarget } from "./cached-operation.ts"
import { CurrentLookup } from "./cached-response.ts"
import { type CacheAddress, ResponseCache } from "./response-cache.ts"

interface Asked {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly coding: ContentCoding
  /** The operation that the request names, if its responses are cached. */
  readonly operation: CachedOperation | undefined
}

/** Whether a target may present a share grant (`st`, in whatever spelling). */
const holdsGrant = (url: string): boolean => {
  const at = url.indexOf("?")
  return at !== -1 && new URLSearchParams(url.slice(at)).has("st")
}

/**
 * Whether the response depends on nothing but target and coding: where the viewer decides, no cookie and no possible
 * grant.
 */
const presentsNothing = (
  { isPublic }: CachedOperation,
  { headers, url }: HttpServerRequest.HttpServerRequest
): boolean => isPublic || (headers.cookie === undefined && !holdsGrant(url))

/**
 * Looks a request up in the cache before the application sees it. A cached response skips the router, the operation's
 * middleware and its handler; it is counted against its address and leaves through the edge like any other. A miss is
 * handed on with its lookup, from which `CachesResponses` computes the response. A request is looked up before the
 * node's capacity is, because what is cached costs next to nothing; so whoever would wait too long for the database to
 * say what is current is `refused`.
 */
export const cacheFirst = Effect.gen(function* () {
  const cache = yield* ResponseCache
  const counted = yield* countingPublicReads
  const { wait } = yield* Capacity
  const lookUp = (address: CacheAddress) => Effect.timeoutOption(cache.lookUp(address), wait)
  const isLate = Metric.update(Metric.withAttributes(capacityRefusals, { because: "wait" }), 1)
  const answered = (found: HttpServerResponse.HttpServerResponse) =>
    counted.pipe(
      Effect.andThen(Effect.as(countAnswer("cached"), found)),
      Effect.catch((refusal) => Effect.succeed(problemResponse(refusal)))
    )
  const cachedOr = <E, R, E2, R2>(
    { coding, operation, request }: Asked,
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
    refused: Effect.Effect<HttpServerResponse.HttpServerResponse, E2, R2>
  ) => {
    if (operation === undefined || !presentsNothing(operation, request)) return app
    return Effect.gen(function* () {
      const target = canonicalTarget(operation, request.url)
      const known = yield* lookUp({ until: operation.until, target, coding })
      if (Option.isNone(known)) return yield* Effect.andThen(isLate, refused)
      const { found } = known.value
      if (found === undefined) return yield* Effect.provideService(app, CurrentLookup, known.value)
      return yield* answered(found)
    })
  }
  /** The page that this request names, if it is cached for everyone; for a node that computes nothing more. */
  const cachedPage = Effect.fnUntraced(function* ({ coding, operation, request }: Asked) {
    const isRead = request.method === "GET" || request.method === "HEAD"
    if (operation !== undefined || !isRead || request.headers.cookie !== undefined) return undefined
    const known = Option.getOrUndefined(yield* lookUp({ ...pageAddress(request), coding }))
    return known?.found === undefined ? undefined : yield* answered(known.found)
  })
  return { cachedOr, cachedPage }
})

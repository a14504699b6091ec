import { Context, Effect, Layer, type Types } from "effect"
import { HttpServerRequest } from "effect/http"
import { CachesResponses } from "../../api/middleware.ts"
import { cachedOperation, canonicalTarget } from "./cached-operation.ts"
import { CurrentLookup, cachedResponses, isForAll } from "./cached-response.ts"

/**
 * Computes the responses that the edge did not find in the cache (`cacheFirst`): the innermost middleware of an
 * operation, past its limits and its access. A caller whose cookies or parameters turn out to be no credential is
 * looked up here. A cached operation sees its canonical target alone.
 */
export const CachesResponsesLive = Layer.effect(
  CachesResponses,
  Effect.map(cachedResponses<Types.unhandled>(), (respond) => (handler, { endpoint, group }) => {
    const operation = cachedOperation(endpoint, Context.merge(group.annotations, endpoint.annotations))
    if (operation === undefined) return handler

    return Effect.gen(function* () {
      const missed = yield* CurrentLookup
      if (missed === undefined && !(yield* isForAll)) return yield* handler
      const request = yield* HttpServerRequest.HttpServerRequest
      const target = missed?.target ?? canonicalTarget(operation, request.url)
      const make = handler.pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, request.modify({ url: target })),
        Effect.provideService(
          HttpServerRequest.ParsedSearchParams,
          HttpServerRequest.searchParamsFromURL(new URL(target, "http://localhost"))
        )
      )
      return yield* respond({ until: operation.until, target }, make)
    })
  })
)

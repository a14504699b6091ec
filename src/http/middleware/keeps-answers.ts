import { Context, Effect, Layer, type Types } from "effect"
import { HttpServerRequest } from "effect/http"
import { KeepsAnswers } from "../../api/middleware.ts"
import { canonicalTarget, keptOperation } from "../kept-answers.ts"
import { isForAll, keepingAnswers } from "./keeping.ts"

/**
 * Makes the answers that are kept (`keepingAnswers`): the innermost middleware of an operation, past its limits and its
 * access. An operation that is kept sees its canonical target alone, kept or not.
 */
export const KeepsAnswersLive = Layer.effect(
  KeepsAnswers,
  Effect.map(keepingAnswers<Types.unhandled>(), (keeping) => (handler, { endpoint, group }) => {
    const operation = keptOperation(endpoint, Context.merge(group.annotations, endpoint.annotations))
    if (operation === undefined) return handler

    return Effect.gen(function* () {
      if (!operation.isPublic && !(yield* isForAll)) return yield* handler
      const request = yield* HttpServerRequest.HttpServerRequest
      const target = canonicalTarget(operation, request.url)
      const make = handler.pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, request.modify({ url: target })),
        Effect.provideService(
          HttpServerRequest.ParsedSearchParams,
          HttpServerRequest.searchParamsFromURL(new URL(target, "http://localhost"))
        )
      )
      return yield* keeping({ until: operation.until, target, make })
    })
  })
)

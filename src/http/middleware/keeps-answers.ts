import { Context, Effect, Layer, Option, type Types } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentViewer } from "../../api/access.ts"
import { KeepsAnswers } from "../../api/middleware.ts"
import { canonicalTarget, keptOperation } from "../kept-answers.ts"
import { keepingAnswers } from "./keeping.ts"

/**
 * Whether a caller gets what everybody gets. What is public is the same for all; where the viewer decides, nobody who
 * presented anything, not even a grant that was refused.
 */
export const isForAll = Effect.map(Effect.serviceOption(CurrentViewer), (viewer) =>
  Option.match(viewer, { onNone: () => false, onSome: (one) => one._tag === "Anonymous" && !one.grantRefused })
)

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

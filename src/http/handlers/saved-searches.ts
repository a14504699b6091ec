import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/api.ts"
import { invalidRequest } from "../../api/errors/common.ts"
import { SavedSearches, type TooManySearches } from "../../services/accounts/saved-searches.ts"
import { wireNotFound } from "./failures.ts"
import { reader } from "./refusals.ts"
import { wireSearch } from "./search-failures.ts"

const wireTooMany = ({ limit }: TooManySearches) =>
  invalidRequest(
    "query",
    `cannot be kept: an account keeps at most ${limit} searches`,
    "Remove one with DELETE /api/me/saved-searches/{id}, and send the request again."
  )

export const SavedSearchesLive = HttpApiBuilder.group(
  Api,
  "saved_searches",
  Effect.fnUntraced(function* (handlers) {
    const searches = yield* SavedSearches
    return handlers.handleAll({
      list: () => Effect.flatMap(reader, searches.list),
      save: Effect.fnUntraced(function* ({ payload }) {
        const { search, isNew } = yield* searches.save(yield* reader, payload).pipe(
          Effect.catchTags({
            ...wireSearch("query"),
            TooManySearches: (failure) => Effect.fail(wireTooMany(failure))
          })
        )
        return HttpServerResponse.jsonUnsafe(search, { status: isNew ? 201 : 200 })
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* Effect.mapError(searches.remove(yield* reader, params.id), wireNotFound)
      })
    })
  })
)

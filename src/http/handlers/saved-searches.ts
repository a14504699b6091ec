import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { SavedSearch } from "../../../schema/saved-search.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { SavedSearches } from "../../services/accounts/saved-searches.ts"
import { reader } from "../caller.ts"

/** The same resource with either status, which the contract alone cannot choose. */
const answer = HttpServerResponse.schemaJson(SavedSearch)

export const SavedSearchesLive = HttpApiBuilder.group(
  Api,
  "saved_searches",
  Effect.fnUntraced(function* (handlers) {
    const searches = yield* SavedSearches
    return handlers.handleAll({
      list: () => Effect.flatMap(reader, searches.list),
      save: Effect.fnUntraced(function* ({ payload }) {
        const { search, isNew } = yield* Effect.mapError(searches.save(yield* reader, payload), wire)
        return yield* Effect.orDie(answer(search, { status: isNew ? 201 : 200 }))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* Effect.mapError(searches.remove(yield* reader, params.id), wire)
      })
    })
  })
)

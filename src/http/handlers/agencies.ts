import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/api.ts"
import { Directory } from "../../services/directory/directory.ts"
import { Upcoming } from "../../services/directory/upcoming.ts"
import { wireAmbiguous, wireNotFound } from "./failures.ts"

export const AgenciesLive = HttpApiBuilder.group(
  Api,
  "agencies",
  Effect.fnUntraced(function* (handlers) {
    const directory = yield* Directory
    const upcoming = yield* Upcoming
    return handlers.handleAll({
      list: () => directory.agencies,
      get: ({ params }) => Effect.mapError(directory.agency(params.slug), wireNotFound),
      upcoming: ({ params }) => Effect.mapError(upcoming.ofAgency(params.slug), wireNotFound),
      at: ({ params }) =>
        Effect.mapError(directory.agencyAt(params.place, params.body), (failure) =>
          failure._tag === "NotFound" ? wireNotFound(failure) : wireAmbiguous(failure)
        )
    })
  })
)

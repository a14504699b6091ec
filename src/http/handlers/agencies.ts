import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Agencies } from "../../../schema/agency.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Directory } from "../../services/directory/directory.ts"
import { Upcoming } from "../../services/directory/upcoming.ts"
import { asTyped } from "../as-typed.ts"

export const AgenciesLive = HttpApiBuilder.group(
  Api,
  "agencies",
  Effect.fnUntraced(function* (handlers) {
    const directory = yield* Directory
    const upcoming = yield* Upcoming
    return handlers.handleAll({
      list: () => Effect.map(directory.agencies, asTyped(Agencies)),
      get: ({ params }) => Effect.mapError(directory.agency(params.slug), wire),
      upcoming: ({ params }) => Effect.mapError(upcoming.ofAgency(params.slug), wire),
      at: ({ params }) => Effect.mapError(directory.agencyAt(params.place, params.body), wire)
    })
  })
)

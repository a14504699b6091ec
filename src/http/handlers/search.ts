import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { LocationResults } from "../../../schema/geo.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Locations } from "../../services/directory/locations.ts"
import { asTyped } from "../as-typed.ts"

export const SearchLive = HttpApiBuilder.group(
  Api,
  "search",
  Effect.fnUntraced(function* (handlers) {
    const locations = yield* Locations
    return handlers.handleAll({
      locations: ({ query }) => Effect.map(locations.search(query.q ?? ""), asTyped(LocationResults)),
      match: ({ query }) => locations.match(query.city, query.region),
      suggest: ({ query }) => locations.suggest(query.q, query.session),
      resolve: ({ query }) => Effect.mapError(locations.resolve(query.place_id, query.session), wire)
    })
  })
)

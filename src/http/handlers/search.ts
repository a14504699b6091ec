import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/api.ts"
import { Locations } from "../../services/directory/locations.ts"
import { wire } from "../wire.ts"

export const SearchLive = HttpApiBuilder.group(
  Api,
  "search",
  Effect.fnUntraced(function* (handlers) {
    const locations = yield* Locations
    return handlers.handleAll({
      locations: ({ query }) => locations.search(query.q ?? ""),
      match: ({ query }) => locations.match(query.city, query.region),
      suggest: ({ query }) => locations.suggest(query.q, query.session),
      resolve: ({ query }) => Effect.mapError(locations.resolve(query.place_id, query.session), wire)
    })
  })
)

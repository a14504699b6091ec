import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Places } from "../../../schema/place.ts"
import { Api } from "../../api/api.ts"
import { Directory } from "../../services/directory/directory.ts"
import { asTyped } from "../as-typed.ts"
import { wire } from "../wire.ts"

export const PlacesLive = HttpApiBuilder.group(
  Api,
  "places",
  Effect.fnUntraced(function* (handlers) {
    const directory = yield* Directory
    return handlers.handleAll({
      list: () => Effect.map(directory.places, asTyped(Places)),
      get: ({ params }) => Effect.mapError(directory.place(params.slug), wire)
    })
  })
)

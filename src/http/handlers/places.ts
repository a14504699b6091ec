import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Places } from "../../../schema/place.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Directory } from "../../services/directory/directory.ts"
import { asTyped } from "../as-typed.ts"

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

import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Trends } from "../../services/search/trends.ts"

export const TrendsLive = HttpApiBuilder.group(
  Api,
  "trends",
  Effect.fnUntraced(function* (handlers) {
    const trends = yield* Trends
    return handlers.handleAll({ read: ({ query }) => Effect.mapError(trends.read(query), wire) })
  })
)

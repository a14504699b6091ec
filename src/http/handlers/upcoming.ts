import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/api.ts"
import { Upcoming } from "../../services/directory/upcoming.ts"

export const UpcomingLive = HttpApiBuilder.group(
  Api,
  "upcoming",
  Effect.fnUntraced(function* (handlers) {
    const upcoming = yield* Upcoming
    return handlers.handleAll({ list: ({ query }) => upcoming.list(query) })
  })
)

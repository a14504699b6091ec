import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Drills } from "../../services/operators/drills.ts"

export const DrillsLive = HttpApiBuilder.group(
  Api,
  "drills",
  Effect.fnUntraced(function* (handlers) {
    const drills = yield* Drills
    const calendar = (token: string) => Effect.mapError(drills.calendar(token), wire)
    return handlers.handleAll({
      schedule: ({ params }) => Effect.map(calendar(params.token), ({ schedule }) => schedule),
      meeting: ({ params }) => Effect.map(calendar(params.token), ({ meeting }) => meeting)
    })
  })
)

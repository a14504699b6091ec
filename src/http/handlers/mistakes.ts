import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { MistakeReports } from "../../services/accounts/mistake-reports.ts"
import { reader } from "../caller.ts"

export const MistakesLive = HttpApiBuilder.group(
  Api,
  "mistakes",
  Effect.fnUntraced(function* (handlers) {
    const reports = yield* MistakeReports
    return handlers.handleAll({
      report: Effect.fnUntraced(function* ({ payload }) {
        return yield* Effect.mapError(reports.report(payload, yield* reader), wire)
      })
    })
  })
)

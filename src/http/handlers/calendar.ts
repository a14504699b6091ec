import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { CalendarAddresses } from "../../services/accounts/calendar-addresses.ts"
import { reader } from "../caller.ts"

export const CalendarLive = HttpApiBuilder.group(
  Api,
  "calendar",
  Effect.fnUntraced(function* (handlers) {
    const addresses = yield* CalendarAddresses
    return handlers.handleAll({
      state: () => Effect.flatMap(reader, addresses.state),
      reset: () => Effect.flatMap(reader, addresses.reset),
      remove: Effect.fnUntraced(function* () {
        yield* Effect.mapError(addresses.remove(yield* reader), wire)
      })
    })
  })
)

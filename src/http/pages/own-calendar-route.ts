import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { WireError } from "../../api/errors/classes.ts"
import { wire } from "../../failures/failures.ts"
import { ownCalendar } from "../../pages/feeds/calendar.ts"
import { CalendarAddresses } from "../../services/accounts/calendar-addresses.ts"
import { Follows } from "../../services/accounts/follows.ts"
import type { Calendars } from "../../services/directory/calendars.ts"
import { countingPublicReads } from "../middleware/public-reads.ts"
import { problemResponse } from "../problem.ts"

/**
 * `GET /calendar/{token}.ics`, the calendar of an account's follows. Its address is the only credential, so no cache
 * stores it, no search engine lists it, and the log shows the route in its place (see `pathOf`).
 */
export const OwnCalendarRoute = Layer.unwrap(
  Effect.gen(function* () {
    const addresses = yield* CalendarAddresses
    const services = yield* Effect.context<Calendars>()
    const follows = yield* Follows
    const counted = yield* countingPublicReads

    const answer = Effect.gen(function* () {
      const { token = "" } = yield* HttpRouter.params
      const owner = yield* Effect.mapError(addresses.ownerOf(token), wire)
      const { contentType, text } = yield* Effect.provideContext(ownCalendar(yield* follows.get(owner)), services)
      return HttpServerResponse.text(text, {
        contentType,
        headers: { "cache-control": "private, no-store", "x-robots-tag": "noindex", "referrer-policy": "no-referrer" }
      })
    })
    return HttpRouter.add(
      "GET",
      "/calendar/:token.ics",
      Effect.catch(Effect.andThen(counted, answer), (error: WireError) => Effect.succeed(problemResponse(error)))
    )
  })
)

import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CalendarAddress } from "../../schema/account.ts"
import { Access } from "./access.ts"
import { Forbidden, Internal, NotFound, Unauthorized, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOnly } from "./security.ts"

const path = "/api/me/calendar"
const error = [Unauthorized, Forbidden, Internal, Unavailable] as const

/** The secret address at which an account's follows are a calendar. */
export const CalendarGroup = HttpApiGroup.make("calendar")
  .add(
    HttpApiEndpoint.get("state", path, { success: CalendarAddress, error }).annotateMerge(
      OpenApi.annotations({
        identifier: "getCalendarAddress",
        summary: "Get the state of your calendar address",
        description:
          "Returns whether the account has a calendar address, and since when. The address itself is shown only once, by `POST /api/me/calendar`."
      })
    ),
    HttpApiEndpoint.post("reset", path, {
      success: CalendarAddress.pipe(HttpApiSchema.status(201)),
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "resetCalendarAddress",
        summary: "Create or reset your calendar address",
        description:
          "Returns a new secret address, `url`, at which the meetings of all that the account follows are an iCalendar file to subscribe to. It needs no cookie: whoever has it sees what the account follows. A previous address stops working immediately."
      })
    ),
    HttpApiEndpoint.delete("remove", path, {
      success: HttpApiSchema.NoContent,
      error: [...error, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "removeCalendarAddress",
        summary: "Remove your calendar address",
        description: "Ends the calendar address of the account. Returns 404 if it has none."
      })
    )
  )
  .annotateEndpoints(Security, sessionOnly)
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({
      title: "Calendar",
      description: "A calendar of what the account follows, at a secret address."
    })
  )

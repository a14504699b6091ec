import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Upcoming, UpcomingQuery } from "../../schema/browse.ts"
import { Internal, Unavailable } from "./errors/classes.ts"
import { CachesResponses, NamesBadFields, PublicRead } from "./middleware.ts"
import { pageLink } from "./page-link.ts"
import { Cached, Surface } from "./surface.ts"

/** A calendar has no pages, and every meeting of each body. */
const announced = Struct.omit(UpcomingQuery.fields, ["page", "page_size", "per_body"])

const Calendar = Schema.String.annotate({
  description: "A calendar to subscribe to (RFC 5545)."
}).pipe(HttpApiSchema.asText({ contentType: "text/calendar" }))

/** Spec 4.4: upcoming meetings. */
export const UpcomingGroup = HttpApiGroup.make("upcoming")
  .add(
    HttpApiEndpoint.get("list", "/api/upcoming", {
      query: UpcomingQuery.fields,
      success: HttpApiSchema.WithHeaders(Upcoming, { link: pageLink("/api/upcoming?page=2") }),
      error: [Internal, Unavailable]
    })
      .annotate(Surface, "public")
      .annotate(Cached, "minute")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listUpcoming",
          summary: "List upcoming meetings",
          description:
            "Returns each body's next few meetings inside the 30-day window in which the crawl detects them. The body that meets soonest comes first. Cancelled meetings are listed, and their `status` says so."
        })
      ),
    HttpApiEndpoint.get("calendar", "/upcoming.ics", {
      query: announced,
      success: Calendar,
      error: [Internal, Unavailable]
    })
      .annotate(Surface, "public")
      .annotate(Cached, "minute")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getUpcomingCalendar",
          summary: "Subscribe to upcoming meetings",
          description:
            "Returns the meetings of `GET /api/upcoming`, every one of each body, as a calendar to subscribe to, by the same filters: at most 2,000, the soonest first. A cancelled meeting stays, with the status `CANCELLED`; a meeting without a time is an all-day event."
        })
      )
  )
  .middleware(CachesResponses)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Upcoming", description: "Upcoming meetings." }))

import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Upcoming, UpcomingQuery } from "../../schema/browse.ts"
import { Internal, Unavailable } from "./errors/classes.ts"
import { CachesResponses, NamesBadFields, PublicRead } from "./middleware.ts"
import { pageLink } from "./page-link.ts"
import { Cached, Surface } from "./surface.ts"

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
      )
  )
  .middleware(CachesResponses)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Upcoming", description: "Upcoming meetings." }))

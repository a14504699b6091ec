import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Upcoming, UpcomingQuery } from "../../schema/browse.ts"
import { Internal, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Surface } from "./surface.ts"

const { fields } = UpcomingQuery

const query = {
  follow_agency: fields.follow_agency.pipe(
    Schema.annotateKey({
      description:
        "Followed bodies, by slug. Together with `follow_place` this is one filter: bodies that match either. Repeatable.",
      examples: [["springfield-city-council"]]
    })
  ),
  follow_place: fields.follow_place.pipe(
    Schema.annotateKey({
      description:
        "Followed places, by slug. Together with `follow_agency` this is one filter: bodies that match either. Repeatable.",
      examples: [["springfield"]]
    })
  ),
  place_slug: fields.place_slug.pipe(
    Schema.annotateKey({ description: "Only bodies that serve this place.", examples: ["springfield"] })
  ),
  within_days: fields.within_days.pipe(
    Schema.annotateKey({ description: "How many days ahead to look: 30 by default, at most 30.", examples: [14] })
  ),
  per_body: fields.per_body.pipe(
    Schema.annotateKey({ description: "Meetings per body: 3 by default, at most 10.", examples: [3] })
  )
}

/** Spec 4.4: upcoming meetings. */
export const UpcomingGroup = HttpApiGroup.make("upcoming")
  .add(
    HttpApiEndpoint.get("list", "/api/upcoming", { query, success: Upcoming, error: [Internal, Unavailable] })
      .annotate(Surface, "public")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listUpcoming",
          summary: "List upcoming meetings",
          description: "Returns each body's next few meetings inside the 30-day window in which the crawl detects them."
        })
      )
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Upcoming", description: "Upcoming meetings." }))

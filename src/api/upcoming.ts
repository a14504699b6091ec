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
        "Bodies that are followed, by slug; one filter with `follow_place`, whose union it takes. May be repeated.",
      examples: [["springfield-city-council"]]
    })
  ),
  follow_place: fields.follow_place.pipe(
    Schema.annotateKey({
      description: "Places that are followed, by slug; one filter with `follow_agency`. May be repeated.",
      examples: [["springfield"]]
    })
  ),
  place_slug: fields.place_slug.pipe(
    Schema.annotateKey({ description: "Only bodies that serve this place.", examples: ["springfield"] })
  ),
  within_days: fields.within_days.pipe(
    Schema.annotateKey({ description: "How many days ahead: 30 unless given, at most 30.", examples: [14] })
  ),
  per_body: fields.per_body.pipe(
    Schema.annotateKey({ description: "Meetings a body: 3 unless given, at most 10.", examples: [3] })
  )
}

/** Spec 4.4: what is to come. */
export const UpcomingGroup = HttpApiGroup.make("upcoming")
  .add(
    HttpApiEndpoint.get("list", "/api/upcoming", { query, success: Upcoming, error: [Internal, Unavailable] })
      .annotate(Surface, "public")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listUpcoming",
          summary: "Upcoming meetings",
          description: "Each body's next few meetings inside the 30-day window in which the crawl detects them."
        })
      )
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Upcoming", description: "Meetings that are to come." }))

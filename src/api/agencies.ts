import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Agencies, Agency } from "../../schema/agency.ts"
import { AgencyUpcoming } from "../../schema/browse.ts"
import { Conflict, Internal, NotFound, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Surface } from "./surface.ts"

const slug = Schema.String.annotate({
  description: "The body's slug; one that a merge or a new name retired still answers.",
  examples: ["springfield-city-council"]
})

/** Spec 4.4: the bodies. */
export const AgenciesGroup = HttpApiGroup.make("agencies")
  .add(
    HttpApiEndpoint.get("list", "/api/agencies", { success: Agencies, error: [Internal, Unavailable] }).annotateMerge(
      OpenApi.annotations({
        identifier: "listAgencies",
        summary: "All bodies",
        description: "The whole directory of bodies, unpaged, those that hold the most of the record first."
      })
    ),
    HttpApiEndpoint.get("get", "/api/agencies/:slug", {
      params: { slug },
      success: Agency,
      error: [NotFound, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getAgency",
        summary: "One body",
        description: "A body's profile: its name and kind, the places it serves, and how many meetings it held."
      })
    ),
    HttpApiEndpoint.get("upcoming", "/api/agencies/:slug/upcoming", {
      params: { slug },
      success: AgencyUpcoming,
      error: [NotFound, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "listUpcomingOfAgency",
        summary: "Upcoming meetings of one body",
        description: "The body's meetings inside the 30-day window in which the crawl detects them, soonest first."
      })
    ),
    HttpApiEndpoint.get("at", "/api/in/:place/:body", {
      params: {
        place: Schema.String.annotate({ description: "The place's slug.", examples: ["springfield"] }),
        body: Schema.String.annotate({
          description: "The body's segment within the place.",
          examples: ["city-council"]
        })
      },
      success: Agency,
      error: [NotFound, Conflict, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getAgencyAt",
        summary: "One body, by its place",
        description:
          "The same profile as `/api/agencies/{slug}`, canonical `path` included. A segment that two bodies of the place share answers 409 `ambiguous_body`, and names neither."
      })
    )
  )
  .annotateEndpoints(Surface, "public")
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Agencies", description: "The councils, boards and commissions." }))

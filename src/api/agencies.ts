import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Agencies, Agency } from "../../schema/agency.ts"
import { AgencyUpcoming } from "../../schema/browse.ts"
import { Internal, NotFound, Unavailable } from "./errors/classes.ts"
import { CachesResponses, NamesBadFields, PublicRead } from "./middleware.ts"
import { Cached, Surface } from "./surface.ts"

const slug = Schema.String.annotate({
  description: "The body's slug. A slug that was retired by a merge or a new name still works.",
  examples: ["springfield-city-council"]
})

/** Spec 4.4: the bodies. */
export const AgenciesGroup = HttpApiGroup.make("agencies")
  .add(
    HttpApiEndpoint.get("list", "/api/agencies", { success: Agencies, error: [Internal, Unavailable] })
      .annotate(Cached, "record")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listAgencies",
          summary: "List all bodies",
          description:
            "Returns the whole directory of bodies, unpaged, ordered by how much of the record each one holds."
        })
      ),
    HttpApiEndpoint.get("get", "/api/agencies/:slug", {
      params: { slug },
      success: Agency,
      error: [NotFound, Internal, Unavailable]
    })
      .annotate(Cached, "minute")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getAgency",
          summary: "Get a body",
          description:
            "Returns a body's profile: its name and kind, the places it serves, and the number of meetings it has held."
        })
      ),
    HttpApiEndpoint.get("upcoming", "/api/agencies/:slug/upcoming", {
      params: { slug },
      success: AgencyUpcoming,
      error: [NotFound, Internal, Unavailable]
    })
      .annotate(Cached, "minute")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listUpcomingOfAgency",
          summary: "List a body's upcoming meetings",
          description:
            "Returns the body's meetings inside the 30-day window in which the crawl detects them, soonest first."
        })
      ),
    HttpApiEndpoint.get("at", "/api/in/:place/:body", {
      params: {
        place: Schema.String.annotate({ description: "The place's slug.", examples: ["springfield"] }),
        body: Schema.String.annotate({
          description: "The body's segment within the place: the last part of its `path`.",
          examples: ["city-council"]
        })
      },
      success: Agency,
      error: [NotFound, Internal, Unavailable]
    })
      .annotate(Cached, "minute")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getAgencyAt",
          summary: "Get a body by its place",
          description:
            "Returns the same profile as `/api/agencies/{slug}`, including its canonical `path`. An address is one body's for ever: one that it had before a rename or a merge answers with the body as it is now."
        })
      )
  )
  .annotateEndpoints(Surface, "public")
  .middleware(CachesResponses)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Agencies", description: "Councils, boards and commissions." }))

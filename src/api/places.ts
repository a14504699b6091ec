import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Place } from "../../schema/agency.ts"
import { Places } from "../../schema/place.ts"
import { Internal, NotFound, Unavailable } from "./errors/classes.ts"
import { CachesResponses, NamesBadFields, PublicRead } from "./middleware.ts"
import { Cached, Surface } from "./surface.ts"

/** Spec 4.4: the places. */
export const PlacesGroup = HttpApiGroup.make("places")
  .add(
    HttpApiEndpoint.get("list", "/api/places", { success: Places, error: [Internal, Unavailable] }).annotateMerge(
      OpenApi.annotations({
        identifier: "listPlaces",
        summary: "List all places",
        description: "Returns the cities and counties with at least one meeting on record."
      })
    ),
    HttpApiEndpoint.get("get", "/api/places/:slug", {
      params: {
        slug: Schema.String.annotate({ description: "The place's slug.", examples: ["springfield"] })
      },
      success: Place,
      error: [NotFound, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getPlace",
        summary: "Get a place",
        description:
          "Returns the profile of a place and the bodies that serve it. For its meetings, use browse with `place_slug`."
      })
    )
  )
  .annotateEndpoints(Surface, "public")
  .annotateEndpoints(Cached, "record")
  .middleware(CachesResponses)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "Places", description: "The cities and counties that public bodies serve." })
  )

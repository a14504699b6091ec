import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { GeoMatch, GeoPlace, GeoSuggestions, LocationResults } from "../../schema/geo.ts"
import { Internal, NotFound, Unavailable } from "./errors/classes.ts"
import { CachesResponses, NamesBadFields, PublicRead } from "./middleware.ts"
import { Cached, Surface } from "./surface.ts"

const text = (maximum: number) =>
  Schema.String.check(Schema.isMaxLength(maximum, { message: `must have at most ${maximum} characters` }))
const session = Schema.optionalKey(
  text(100).annotate({
    description: "Ties the keystrokes of one search together. If it is not sent, a new one is made and returned.",
    examples: ["3b0f4f2e-8d7c-4a55-9f3e-0a6c1d2b4e70"]
  })
)

/** Spec 4.4: finding places and bodies, and working out where a visitor is. */
export const SearchGroup = HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.get("locations", "/api/search/locations", {
      query: {
        q: Schema.optionalKey(
          text(200).annotate({
            description:
              "A name, an address or a ZIP code; misspellings are tolerated. If empty, the places with the most on record.",
            examples: ["springfield"]
          })
        )
      },
      success: LocationResults,
      error: [Internal, Unavailable]
    })
      .annotateMerge(
        OpenApi.annotations({
          identifier: "searchLocations",
          summary: "Find a place or a body",
          description:
            "Finds places and bodies by name, address or ZIP code. An empty query is not an error: it returns the places that hold the most of the record."
        })
      )
      .annotate(Cached, "record"),
    HttpApiEndpoint.get("match", "/api/geo", {
      query: {
        city: text(200).annotate({
          description: "The city, as the visitor's network reports it.",
          examples: ["Springfield"]
        }),
        region: text(200).annotate({ description: "The state, by name or two-letter code.", examples: ["IL"] })
      },
      success: GeoMatch,
      error: [Internal, Unavailable]
    })
      .annotateMerge(
        OpenApi.annotations({
          identifier: "matchGeo",
          summary: "Match a city to a place",
          description:
            "Returns the place on record for a visitor's city and region. `matched` is false if there is none."
        })
      )
      .annotate(Cached, "record"),
    HttpApiEndpoint.get("suggest", "/api/search/geo", {
      query: {
        q: text(200).annotate({ description: "What has been typed so far.", examples: ["spring"] }),
        session
      },
      success: GeoSuggestions,
      error: [Internal, Unavailable]
    })
      .annotateMerge(
        OpenApi.annotations({
          identifier: "suggestGeo",
          summary: "Suggest locations",
          description:
            "Returns cities, counties and ZIP codes that complete what was typed, places on record first. Resolve one by its `place_id`."
        })
        // It may bring a new session, which is for one visitor alone.
      )
      .annotate(Surface, "uncached"),
    HttpApiEndpoint.get("resolve", "/api/search/geo/resolve", {
      query: {
        place_id: text(200).annotate({ description: "The `place_id` of a suggestion.", examples: ["zip:62701"] }),
        session
      },
      success: GeoPlace,
      error: [NotFound, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "resolveGeo",
        summary: "Resolve a suggestion",
        description:
          "Returns where a suggestion is, the place and county on record that it is in, and the bodies that govern there."
      })
    )
  )
  .annotate(Surface, "public")
  .middleware(CachesResponses)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Search", description: "Finding places and bodies." }))

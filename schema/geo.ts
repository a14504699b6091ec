import { Schema } from "effect"
import { BodyRef } from "./agency.ts"
import { PlaceRef } from "./place.ts"
import { Count, PagePath } from "./primitives.ts"

export const LocationResults = Schema.Struct({
  query: Schema.String,
  results: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["place", "body"]),
      slug: Schema.String,
      name: Schema.String,
      path: PagePath,
      detail: Schema.String.annotate({
        description: "What distinguishes it from others of the same name.",
        examples: ["City in Sangamon County, IL"]
      }),
      meetings_held: Count,
      match: Schema.Literals(["name", "address", "zip", "top"])
    }).annotate({ identifier: "Location", description: "A place or body that matched." })
  )
}).annotate({ identifier: "Locations", description: "Places and bodies found by name, address or ZIP code." })
export interface LocationResults extends Schema.Schema.Type<typeof LocationResults> {}

export const GeoMatch = Schema.Struct({
  matched: Schema.Boolean,
  place: Schema.optionalKey(PlaceRef)
}).annotate({ identifier: "GeoMatch", description: "The place on record for a visitor's city and region." })
export interface GeoMatch extends Schema.Schema.Type<typeof GeoMatch> {}

const GeoSession = Schema.String.annotate({ description: "Ties the keystrokes of one search together." })

export const GeoSuggestions = Schema.Struct({
  session: GeoSession,
  suggestions: Schema.Array(
    Schema.Struct({
      place_id: Schema.String,
      label: Schema.String,
      kind: Schema.Literals(["city", "county", "zip"])
    }).annotate({ identifier: "GeoSuggestion", description: "A location that can be resolved." })
  )
}).annotate({ identifier: "GeoSuggestions", description: "Locations that complete what was typed." })
export interface GeoSuggestions extends Schema.Schema.Type<typeof GeoSuggestions> {}

export const GeoPlace = Schema.Struct({
  place_id: Schema.String,
  label: Schema.String,
  latitude: Schema.optionalKey(Schema.Finite.annotate({ description: "Degrees (WGS 84), if they are known." })),
  longitude: Schema.optionalKey(Schema.Finite.annotate({ description: "Degrees (WGS 84), if they are known." })),
  place: Schema.optionalKey(PlaceRef),
  county: Schema.optionalKey(PlaceRef),
  bodies: Schema.Array(BodyRef)
}).annotate({
  identifier: "GeoPlace",
  description: "A resolved suggestion: where it is, and which bodies govern there."
})
export interface GeoPlace extends Schema.Schema.Type<typeof GeoPlace> {}

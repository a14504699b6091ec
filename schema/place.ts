import { Schema } from "effect"
import { Count, PagePath, Slug, StateCode } from "./primitives.ts"

export const PlaceKind = Schema.Literals(["city", "county"]).annotate({ examples: ["city"] })
export type PlaceKind = typeof PlaceKind.Type

const fields = {
  slug: Slug,
  name: Schema.String.annotate({ examples: ["Springfield"] }),
  kind: PlaceKind,
  state: StateCode,
  county: Schema.optionalKey(Schema.String.annotate({ examples: ["Sangamon County"] })),
  path: PagePath
}

/** A place as other resources refer to it. */
export const PlaceRef = Schema.Struct(fields).annotate({
  identifier: "PlaceRef",
  description: "A city or county, as other resources refer to it."
})
export interface PlaceRef extends Schema.Schema.Type<typeof PlaceRef> {}

/** One row of the list of places. */
export const PlaceSummary = Schema.Struct({ ...fields, bodies: Count, meetings_held: Count }).annotate({
  identifier: "PlaceSummary",
  description: "A place, with the number of bodies that serve it and of held meetings on record."
})
export interface PlaceSummary extends Schema.Schema.Type<typeof PlaceSummary> {}

export const Places = Schema.Struct({ places: Schema.Array(PlaceSummary) }).annotate({
  identifier: "Places",
  description: "All places with a meeting on record."
})
export interface Places extends Schema.Schema.Type<typeof Places> {}

export const placeRefFields = fields

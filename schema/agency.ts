import { Schema } from "effect"
import { PlaceRef, placeRefFields } from "./place.ts"
import { CalendarDate, Count, PagePath, Slug, WebAddress } from "./primitives.ts"

export const bodyKinds = [
  "city_council",
  "school_board",
  "planning_commission",
  "county_board",
  "committee",
  "other"
] as const

export const BodyKind = Schema.Literals(bodyKinds).annotate({
  description: "The kind of body; `type` in browse.",
  examples: ["city_council"]
})
export type BodyKind = typeof BodyKind.Type

/** What people call each kind; labels of the `type` facet. */
export const bodyKindLabels: Readonly<Record<BodyKind, string>> = {
  city_council: "City council",
  school_board: "School board",
  planning_commission: "Planning commission",
  county_board: "County board",
  committee: "Committee",
  other: "Other body"
}

const fields = {
  slug: Slug,
  name: Schema.String.annotate({ examples: ["Springfield City Council"] }),
  kind: BodyKind,
  path: PagePath
}

/** A body as other resources refer to it. */
export const BodyRef = Schema.Struct(fields).annotate({
  identifier: "BodyRef",
  description: "A council, board or commission, as other resources refer to it."
})
export interface BodyRef extends Schema.Schema.Type<typeof BodyRef> {}

const summaryFields = { ...fields, places: Schema.Array(PlaceRef), meetings_held: Count }

/** One row of the directory. */
export const AgencySummary = Schema.Struct(summaryFields).annotate({
  identifier: "AgencySummary",
  description: "A body, with the places it serves and the number of its held meetings on record."
})
export interface AgencySummary extends Schema.Schema.Type<typeof AgencySummary> {}

/** The whole directory, most meetings held first. */
export const Agencies = Schema.Struct({ agencies: Schema.Array(AgencySummary) }).annotate({
  identifier: "Agencies",
  description: "All bodies, most meetings held first."
})
export interface Agencies extends Schema.Schema.Type<typeof Agencies> {}

/** A body's profile. */
export const Agency = Schema.Struct({
  ...summaryFields,
  retired_slugs: Schema.Array(Slug).annotate({
    description: "The body's former slugs, which keep working forever."
  }),
  website: Schema.optionalKey(WebAddress),
  first_meeting: Schema.optionalKey(CalendarDate),
  latest_meeting: Schema.optionalKey(CalendarDate),
  upcoming: Count.annotate({ description: "The meetings of its upcoming list that are not cancelled." }),
  cancelled: Count.annotate({ description: "The cancelled meetings of its upcoming list." })
}).annotate({ identifier: "Agency", description: "The profile of one council, board or commission." })
export interface Agency extends Schema.Schema.Type<typeof Agency> {}

/** A place's profile: its own fields and the bodies that serve it. */
export const Place = Schema.Struct({
  ...placeRefFields,
  bodies: Schema.Array(AgencySummary),
  meetings_held: Count
}).annotate({ identifier: "Place", description: "The profile of one place, with the bodies that serve it." })
export interface Place extends Schema.Schema.Type<typeof Place> {}

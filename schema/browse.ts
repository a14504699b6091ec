import { Schema } from "effect"
import { BodyRef } from "./agency.ts"
import { type FilterName, parameter, repeatable, shortText, wholeNumber } from "./browse-query.ts"
import { MeetingCard } from "./meeting.ts"
import { Count } from "./primitives.ts"

export const FacetValue = Schema.Struct({
  value: Schema.String.annotate({ description: "What to send as the filter.", examples: ["city_council"] }),
  label: Schema.String.annotate({ examples: ["City council"] }),
  count: Count
}).annotate({ identifier: "FacetValue" })
export interface FacetValue extends Schema.Schema.Type<typeof FacetValue> {}

const facet = Schema.Array(FacetValue)

export const Facets = Schema.Struct({
  state: facet,
  county: facet,
  city: facet,
  type: facet,
  agency: facet,
  year: facet
}).annotate({
  identifier: "Facets",
  description: "Each counted under all the other active filters and the query; a chosen value stays listed at 0."
})
export interface Facets extends Schema.Schema.Type<typeof Facets> {}

/** A facet offers the values of the filter that has its name. */
export type FacetName = keyof Facets & FilterName

export const Browse = Schema.Struct({
  total: Count,
  page: Count,
  page_size: Count,
  meetings: Schema.Array(MeetingCard),
  facets: Facets,
  groups: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ agency: BodyRef, total: Count, meetings: Schema.Array(MeetingCard) }).annotate({
        identifier: "AgencyGroup"
      })
    )
  )
}).annotate({ identifier: "Browse", description: "Held meetings that fit the filters, a page of them, with counts." })
export interface Browse extends Schema.Schema.Type<typeof Browse> {}

export const UpcomingQuery = Schema.Struct({
  follow_agency: repeatable(
    shortText,
    "Bodies that are followed, by slug; one filter with `follow_place`, whose union it takes.",
    "springfield-city-council"
  ),
  follow_place: repeatable(
    shortText,
    "Places that are followed, by slug; one filter with `follow_agency`.",
    "springfield"
  ),
  place_slug: parameter(shortText, "Only bodies that serve this place.", "springfield"),
  within_days: parameter(wholeNumber(1, 30), "How many days ahead: 30 by default, at most 30.", 14),
  per_body: parameter(wholeNumber(1, 10), "Meetings per body: 3 by default, at most 10.", 3)
})
export interface UpcomingQuery extends Schema.Schema.Type<typeof UpcomingQuery> {}

const bodyMeetings = { body: BodyRef, meetings: Schema.Array(MeetingCard) }

export const Upcoming = Schema.Struct({
  within_days: Count,
  bodies: Schema.Array(Schema.Struct(bodyMeetings).annotate({ identifier: "UpcomingOfBody" }))
}).annotate({ identifier: "Upcoming", description: "Each body's next few meetings." })
export interface Upcoming extends Schema.Schema.Type<typeof Upcoming> {}

export const AgencyUpcoming = Schema.Struct(bodyMeetings).annotate({ identifier: "AgencyUpcoming" })
export interface AgencyUpcoming extends Schema.Schema.Type<typeof AgencyUpcoming> {}

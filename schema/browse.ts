import { Schema } from "effect"
import { BodyKind, BodyRef } from "./agency.ts"
import { MeetingCard } from "./meeting.ts"
import { Count, StateCode } from "./primitives.ts"

/** A query parameter that must be a whole number within bounds. */
export const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Int.check(
    Schema.isBetween({ minimum, maximum }, { message: `must be a whole number from ${minimum} to ${maximum}` })
  )

const values = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.Array(schema))
const shortText = Schema.String.check(Schema.isMaxLength(200))

/** Every parameter of `GET /api/meetings/browse` (spec 4.3); the one grammar of search, feed and alert. */
export const BrowseQuery = Schema.Struct({
  q: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(500))),
  state: values(StateCode),
  county: values(shortText),
  city: values(shortText),
  type: values(BodyKind),
  agency: values(shortText),
  year: values(wholeNumber(1700, 2200)),
  agency_slug: Schema.optionalKey(shortText),
  place_slug: Schema.optionalKey(shortText),
  follow_agency: values(shortText),
  follow_place: values(shortText),
  page: Schema.optionalKey(wholeNumber(1, 10_000)),
  page_size: Schema.optionalKey(wholeNumber(1, 100)),
  group_by: Schema.optionalKey(Schema.Literal("agency")),
  per_group: Schema.optionalKey(wholeNumber(1, 20))
})
export interface BrowseQuery extends Schema.Schema.Type<typeof BrowseQuery> {}

export const facetNames = ["state", "county", "city", "type", "agency", "year"] as const
export type FacetName = (typeof facetNames)[number]

export const FacetValue = Schema.Struct({
  value: Schema.String.annotate({ description: "The value to filter by.", examples: ["city_council"] }),
  label: Schema.String.annotate({ examples: ["City council"] }),
  count: Count
}).annotate({ identifier: "FacetValue", description: "A value to filter by, with the number of meetings it matches." })
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
  description:
    "Each facet is counted under the query and all the other active filters. A value that is filtered by stays listed even at 0."
})
export interface Facets extends Schema.Schema.Type<typeof Facets> {}

export const BrowsePage = Schema.Struct({
  total: Count,
  page: Count,
  page_size: Count,
  meetings: Schema.Array(MeetingCard),
  facets: Facets,
  groups: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ agency: BodyRef, total: Count, meetings: Schema.Array(MeetingCard) }).annotate({
        identifier: "AgencyGroup",
        description: "The matching meetings of one body."
      })
    )
  )
}).annotate({ identifier: "Browse", description: "One page of the held meetings that match, with facet counts." })
export interface BrowsePage extends Schema.Schema.Type<typeof BrowsePage> {}

export const UpcomingQuery = Schema.Struct({
  follow_agency: values(shortText),
  follow_place: values(shortText),
  place_slug: Schema.optionalKey(shortText),
  within_days: Schema.optionalKey(wholeNumber(1, 30)),
  per_body: Schema.optionalKey(wholeNumber(1, 10))
})
export interface UpcomingQuery extends Schema.Schema.Type<typeof UpcomingQuery> {}

const bodyMeetings = { body: BodyRef, meetings: Schema.Array(MeetingCard) }

export const Upcoming = Schema.Struct({
  within_days: Count,
  bodies: Schema.Array(
    Schema.Struct(bodyMeetings).annotate({ identifier: "UpcomingOfBody", description: "A body's next few meetings." })
  )
}).annotate({ identifier: "Upcoming", description: "Each body's next few meetings." })
export interface Upcoming extends Schema.Schema.Type<typeof Upcoming> {}

export const AgencyUpcoming = Schema.Struct(bodyMeetings).annotate({
  identifier: "AgencyUpcoming",
  description: "A body's upcoming meetings."
})
export interface AgencyUpcoming extends Schema.Schema.Type<typeof AgencyUpcoming> {}

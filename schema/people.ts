import { Schema } from "effect"
import { BodyRef } from "./agency.ts"
import { parameter, shortText, slugText, wholeNumber } from "./browse-query.ts"
import { PersonRef, personFields } from "./person-ref.ts"
import { PlaceRef } from "./place.ts"
import { CalendarDate, Count, Instant, WebAddress } from "./primitives.ts"

/** The roles of Popolo's memberships that occur in local government; `label` has the source's own word. */
export const MemberRole = Schema.Literals([
  "member",
  "chair",
  "vice_chair",
  "mayor",
  "clerk",
  "staff",
  "other"
]).annotate({
  examples: ["member"]
})
export type MemberRole = typeof MemberRole.Type

/** An office in a body, or a seat on it, for a time. */
export const Membership = Schema.Struct({
  agency: Schema.optionalKey(BodyRef.annotate({ description: "The body; missing while it is not on record." })),
  name: Schema.String.annotate({ description: "The body's name.", examples: ["Springfield City Council"] }),
  role: MemberRole,
  label: Schema.optionalKey(Schema.String.annotate({ description: "As written.", examples: ["Council Member"] })),
  start: Schema.optionalKey(CalendarDate),
  end: Schema.optionalKey(CalendarDate.annotate({ description: "The last day; missing while it is not known." })),
  party: Schema.optionalKey(Schema.String),
  district: Schema.optionalKey(Schema.String.annotate({ examples: ["Ward 3"] }))
}).annotate({ identifier: "Membership", description: "A seat on a body, or an office in it, and when it was held." })
export interface Membership extends Schema.Schema.Type<typeof Membership> {}

const PersonSummary = Schema.Struct({
  ...personFields,
  place: Schema.optionalKey(PlaceRef),
  memberships: Schema.Array(Membership).annotate({
    description: "The seats and offices held on the day asked for, or today."
  }),
  updated_at: Instant
}).annotate({ identifier: "PersonSummary", description: "A person in a list." })

/** How often two members voted alike, in votes that were divided. */
const Agreement = Schema.Struct({
  person: PersonRef,
  agree: Count,
  differ: Count
}).annotate({
  identifier: "Agreement",
  description: "How often another member voted alike, where some voted yes and some no, and both did one of these."
})

export const Person = Schema.Struct({
  ...personFields,
  place: Schema.optionalKey(PlaceRef),
  other_names: Schema.optionalKey(Schema.Array(Schema.String)),
  image_url: Schema.optionalKey(WebAddress),
  source_url: Schema.optionalKey(WebAddress),
  memberships: Schema.Array(Membership).annotate({ description: "The newest first." }),
  votes: Count,
  divided_votes: Count.annotate({ description: "Votes in which some voted yes and some no." }),
  against_majority: Count.annotate({ description: "Votes for the side that had fewer." }),
  attendance: Schema.optionalKey(
    Schema.Struct({ present: Count, called: Count }).annotate({
      description: "Roll calls at which they were present, of those that called them. Missing without any on record."
    })
  ),
  years: Schema.Array(
    Schema.Struct({
      ...{ year: Count, votes: Count, no: Count, absent: Count, against_majority: Count },
      present: Count.annotate({ description: "Roll calls at which they were present." }),
      called: Count.annotate({ description: "Roll calls that called them." })
    })
  ).annotate({ description: "Votes and roll calls by year, the newest first." }),
  agreement: Schema.Array(Agreement).annotate({
    description: "Those who most often voted beside them, at most 60, in their latest 300 divided votes."
  }),
  sponsored: Count.annotate({ description: "Matters that they sponsor." })
}).annotate({ identifier: "Person", description: "A person in public office: seats, votes and attendance." })
export interface Person extends Schema.Schema.Type<typeof Person> {}

export const page = parameter(
  wholeNumber(1, 10_000),
  "Which page, from 1 (the default) to 10000; one past the end is empty.",
  1
)
export const pageSize = parameter(wholeNumber(1, 100), "How many a page: 20 by default, at most 100.", 20)
export const paged = { total: Count, page: Count, page_size: Count }

export const PeopleQuery = Schema.Struct({
  q: parameter(shortText, "Only people whose name has these letters.", "marsh"),
  agency_slug: parameter(slugText, "Only those with a seat or an office in this body.", "springfield-city-council"),
  place_slug: parameter(slugText, "Only those of this place.", "springfield"),
  on: parameter(CalendarDate, "Only those with a seat or an office on this day.", "2026-03-10"),
  updated_since: parameter(
    Instant,
    "Only people who changed at this instant or later, or whose seats did.",
    "2026-03-01T00:00:00Z"
  ),
  page,
  page_size: pageSize
})
export interface PeopleQuery extends Schema.Schema.Type<typeof PeopleQuery> {}

export const People = Schema.Struct({ ...paged, people: Schema.Array(PersonSummary) }).annotate({
  identifier: "People",
  description: "People in public office, by name."
})
export interface People extends Schema.Schema.Type<typeof People> {}

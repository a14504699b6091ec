import { Option, Schema, SchemaTransformation } from "effect"
import { BodyKind } from "./agency.ts"
import { cursorOf } from "./cursor.ts"
import { MeetingStatus } from "./meeting.ts"
import { filterParts } from "./part.ts"
import { CalendarDate, Instant, StateCode } from "./primitives.ts"
import { scopeFault } from "./search-query.ts"

/** A query parameter that must be a whole number within bounds. */
export const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Int.check(
    Schema.isBetween({ minimum, maximum }, { message: `must be a whole number from ${minimum} to ${maximum}` })
  )

/** A parameter that may be given once, with its description in the OpenAPI document. */
export const parameter = <S extends Schema.Top>(schema: S, description: string, example: S["Type"]) =>
  Schema.annotateKey<Schema.optionalKey<S>>({ description, examples: [example] })(Schema.optionalKey(schema))

/** A parameter that may be repeated, with its description in the OpenAPI document. */
export const repeatable = <S extends Schema.Top>(schema: S, description: string, example: S["Type"]) =>
  parameter(Schema.Array(schema), `${description} May be repeated.`, [example])

export const shortText = Schema.String.check(Schema.isMaxLength(200))

/** The slug of a body or place, whatever case it is typed in. */
export const slugText = shortText.pipe(Schema.decodeTo(Schema.String, SchemaTransformation.toLowerCase()))

/**
 * The filters of a browse (spec 4.3). Each name here has an entry in the table of
 * `src/services/search/query/filters.ts`, which says what the filter does; no other place lists them.
 */
export const filterFields = {
  state: repeatable(
    Schema.String.pipe(Schema.decodeTo(StateCode, SchemaTransformation.toUpperCase())),
    "Only meetings in these states, by their two-letter codes.",
    "IL"
  ),
  county: repeatable(shortText, "Only meetings in these counties, by name.", "Sangamon County"),
  city: repeatable(shortText, "Only meetings in these cities, by name.", "Springfield"),
  type: repeatable(BodyKind, "Only meetings of bodies of these kinds.", "city_council"),
  agency: repeatable(
    slugText,
    "Only meetings of these bodies, as the `agency` facet gives them.",
    "springfield-city-council"
  ),
  year: repeatable(wholeNumber(1, 9999), "Only meetings held in these years.", 2026),
  date_from: parameter(CalendarDate, "Only meetings held on this date or later.", "2026-01-01"),
  date_to: parameter(CalendarDate, "Only meetings held on this date or earlier.", "2026-12-31"),
  has: repeatable(
    Schema.Literals(filterParts),
    "Only meetings that have all of these, as `has` of their card says.",
    "transcript"
  ),
  person: repeatable(
    slugText,
    "Only meetings at which one of these people voted or answered a roll call, by slug.",
    "springfield-ada-marsh"
  ),
  matter: repeatable(slugText, "Only meetings that took up one of these matters, by slug.", "springfield-ord-2026-14"),
  vote: repeatable(
    Schema.Literals(["passed", "failed"]),
    "Only meetings with a vote of one of these results on record.",
    "passed"
  ),
  status: repeatable(
    MeetingStatus,
    "Only meetings of these statuses, of whatever day: `held` unless given. Other than held ones are found by filters, not by words.",
    "held"
  ),
  updated_since: parameter(
    Instant,
    "Only meetings that changed at this instant or later; `removed` then lists those taken off the record since.",
    "2026-03-01T00:00:00Z"
  ),
  agency_slug: parameter(slugText, "Scopes everything to one body.", "springfield-city-council"),
  place_slug: parameter(slugText, "Scopes everything to the bodies that serve one place.", "springfield"),
  follow_agency: repeatable(
    slugText,
    "Bodies that are followed, by slug; one filter together with `follow_place`, whose union it takes.",
    "springfield-city-council"
  ),
  follow_place: repeatable(
    slugText,
    "Places that are followed, by slug; one filter together with `follow_agency`.",
    "springfield"
  )
}
export type FilterName = keyof typeof filterFields

/** The facets that are counted only if they are asked for. */
export const askedFacets = ["person", "matter", "vote"] as const satisfies ReadonlyArray<FilterName>
export type AskedFacet = (typeof askedFacets)[number]

/** Every parameter of `GET /api/meetings/browse` (spec 4.3); the one grammar of search, feed and alert. */
export const BrowseQuery = Schema.Struct({
  q: parameter(
    Schema.String.check(
      Schema.isMaxLength(500),
      Schema.makeFilter((q) => scopeFault(q) ?? true)
    ),
    'Web-search syntax: words, "phrases", -not, or. `speaker:`, `body:`, `place:` and `person:` take a name (`speaker:"Ada Marsh"`), `matter:` a number in any spelling (`matter:"Ord 2026-14"`), and the last four a slug as well; `document:` words that stand together in an agenda, a packet, minutes or an attachment (`document:"traffic study"`); what `person:` and `matter:` stand for is told in `named`. `after:` and `before:` take a day, a month or a year (`after:2025 before:2026-07`, `after:"May 2025"`). A date among the words, such as `october 23, 2025` or `last september`, is a filter (`dates` in the answer). Ranked by relevance; without it, newest first.',
    "greenway"
  ),
  exact: parameter(
    Schema.Literals(["1", "0"]),
    "`1` searches for the words as they are spelled; otherwise a query that finds nothing, or hardly anything by a word that was never written, is tried with its spelling corrected, a question is searched for by its subject, other words that mean the same are tried, and words that no stretch of speech has beside the others are let go.",
    "0"
  ),
  ...filterFields,
  facet: repeatable(
    Schema.Literals(askedFacets),
    "Facets to count besides the others, which take longer: who voted, what was taken up, and results of votes.",
    "person"
  ),
  sort: parameter(
    Schema.Literals(["relevance", "newest", "oldest", "updated"]),
    "By default `relevance` with `q`, and `newest` without it, where relevance means nothing. `updated` is last changed first.",
    "newest"
  ),
  after: parameter(
    Schema.String.check(
      Schema.makeFilter((text) => Option.isSome(cursorOf(text)) || "must be an `after` that a page of this list has")
    ),
    "The next page, in place of `page`: the `after` of the page before. Unlike page numbers it neither repeats nor passes over a meeting while the record changes. Not with `group_by`, nor by relevance.",
    "eyJzb3J0IjoibmV3ZXN0Iiwia2V5IjoiMjAyNi0wMy0xMCIsImlkIjoiM2YyYjhjMWUtNWQ0YS01YzNiLTlhMmYtMWU0ZDVjNmI3YTg5IiwicGFnZSI6MSwiYXNfb2YiOiIyMDI2LTAzLTEyVDA4OjE1OjAwWiJ9"
  ),
  page: parameter(wholeNumber(1, 10_000), "Which page, from 1 (the default) to 10000; one past the end is empty.", 1),
  page_size: parameter(
    wholeNumber(1, 100),
    "Meetings per page, or groups with `group_by`: 20 by default, at most 100.",
    20
  ),
  group_by: parameter(
    Schema.Literal("agency"),
    "`agency` groups the meetings by the body that held each. Pages are then pages of `groups`, and `meetings` has the meetings of these groups.",
    "agency"
  ),
  per_group: parameter(wholeNumber(1, 20), "Meetings per group: 3 by default, at most 20.", 3)
})
export interface BrowseQuery extends Schema.Schema.Type<typeof BrowseQuery> {}

import { Schema, Struct } from "effect"
import { filterFields, parameter } from "./browse-query.ts"
import { CalendarDate, Count, Slug } from "./primitives.ts"
import { scopeFault } from "./search-query.ts"

/** The most searches, bodies or places in one trend: more lines cannot be told apart. */
export const mostSeries = 5

/** The most points of a line. */
export const mostPeriods = 400

const measures = ["meetings", "share", "per_million_words"] as const

const SearchText = Schema.String.check(
  Schema.isMaxLength(200),
  Schema.makeFilter((q) => q.trim() !== "" || "must have a word"),
  Schema.makeFilter((q) => scopeFault(q) ?? true)
)

/** What narrows a trend: the filters of browse on held meetings. */
export const trendFilters = Struct.omit(filterFields, ["status", "updated_since"])

const shape = {
  by: parameter(Schema.Literals(["year", "quarter", "month"]), "How long each period is; `year` unless given.", "year"),
  measure: parameter(
    Schema.Literals(measures),
    "What `value` is: the number of `meetings` that match (unless given), their `share` of all meetings of the period, from 0 to 1, or matching meetings `per_million_words` spoken at all of them.",
    "meetings"
  ),
  group: parameter(
    Schema.Literals(["agency", "place"]),
    `With a single \`q\`: a series for each body, or place, of the ${mostSeries} with the most matching meetings, each beside its own meetings.`,
    "agency"
  ),
  ...trendFilters
}

/** Parameters of `GET /api/trends`. */
export const TrendsQuery = Schema.Struct({
  q: Schema.Array(SearchText)
    .check(
      Schema.isMinLength(1, { message: "must be given" }),
      Schema.isMaxLength(mostSeries, { message: `may be given at most ${mostSeries} times` })
    )
    .annotate({
      description: `A search in the grammar of browse, searched for as it is spelled. May be repeated, up to ${mostSeries} times, to compare.`,
      examples: [["greenway"]]
    }),
  ...shape
})
export interface TrendsQuery extends Schema.Schema.Type<typeof TrendsQuery> {}

/** Parameters of the page, on which nothing may have been asked yet. */
export const TrendsPageQuery = Schema.Struct({
  q: Schema.optionalKey(TrendsQuery.fields.q),
  ...shape
})

export const TrendPeriod = Schema.Struct({
  period: Schema.String.annotate({
    description: "`2026`, `2026-Q1` or `2026-03`.",
    examples: ["2026", "2026-Q1", "2026-03"]
  }),
  from: CalendarDate,
  to: CalendarDate,
  meetings: Count.annotate({ description: "All meetings held in the period, under the filters." }),
  with_transcript: Count.annotate({ description: "Those of them whose words are on record." }),
  complete: Schema.Boolean.annotate({
    description: "False if the period is not over, or if fewer than half of its meetings have their words on record."
  })
}).annotate({ identifier: "TrendPeriod", description: "A year, quarter or month, and what is on record of it." })
export interface TrendPeriod extends Schema.Schema.Type<typeof TrendPeriod> {}

export const TrendPoint = Schema.Struct({
  count: Count.annotate({
    description: "The meetings that match: as many as browse finds with `exact=1`, from the first day to the last."
  }),
  meetings: Count.annotate({ description: "All meetings of the series in the period." }),
  value: Schema.optionalKey(
    Schema.Finite.annotate({ description: "By `measure`; missing where nothing was held, or said.", examples: [0.25] })
  )
}).annotate({ identifier: "TrendPoint", description: "One period of a series." })
export interface TrendPoint extends Schema.Schema.Type<typeof TrendPoint> {}

const Group = Schema.Struct({ slug: Slug, name: Schema.String.annotate({ examples: ["Springfield City Council"] }) })

export const TrendSeries = Schema.Struct({
  q: Schema.String.annotate({ examples: ["greenway"] }),
  agency: Schema.optionalKey(Group),
  place: Schema.optionalKey(Group),
  total: Count.annotate({ description: "The meetings that match in all periods." }),
  points: Schema.Array(TrendPoint).annotate({ description: "One for each of `periods`, in their order." })
}).annotate({ identifier: "TrendSeries", description: "How often a search matches, over time." })
export interface TrendSeries extends Schema.Schema.Type<typeof TrendSeries> {}

export const Trends = Schema.Struct({
  by: Schema.Literals(["year", "quarter", "month"]),
  measure: Schema.Literals(measures),
  periods: Schema.Array(TrendPeriod).annotate({
    description: "From the first with a held meeting to the last, without a gap."
  }),
  series: Schema.Array(TrendSeries)
}).annotate({ identifier: "Trends", description: "How often searches match, over time." })
export interface Trends extends Schema.Schema.Type<typeof Trends> {}

import { Schema } from "effect"
import { BodyKind, BodyRef } from "./agency.ts"
import { type FilterName, parameter, repeatable, slugText, wholeNumber } from "./browse-query.ts"
import { MeetingCard } from "./meeting.ts"
import { CalendarDate, Count, Instant, MeetingId, PagePath, Slug } from "./primitives.ts"

export const FacetValue = Schema.Struct({
  value: Schema.String.annotate({ description: "The value to filter by.", examples: ["city_council"] }),
  label: Schema.String.annotate({ examples: ["City council"] }),
  count: Count
}).annotate({ identifier: "FacetValue", description: "A value to filter by, with the number of meetings it matches." })
export interface FacetValue extends Schema.Schema.Type<typeof FacetValue> {}

/** The most removed meetings that one page of browse lists. */
export const mostRemoved = 1000

/** The most words of a search that finds nothing which are tried by themselves. */
export const mostWords = 8

/** The most values of a facet that is counted only if it is asked for. */
export const mostInAskedFacet = 50

/** The most people, or matters, that are told for one name. */
export const mostNamed = 10

const facet = Schema.Array(FacetValue)
const askedFacet = Schema.optionalKey(
  facet.annotate({ description: `With \`facet\` only: the ${mostInAskedFacet} with the most meetings.` })
)

export const Facets = Schema.Struct({
  state: facet,
  county: facet,
  city: facet,
  type: facet,
  agency: facet,
  year: facet,
  person: askedFacet,
  matter: askedFacet,
  vote: askedFacet
}).annotate({
  identifier: "Facets",
  description:
    "Each facet is counted under the query and all the other active filters. A value that is filtered by stays listed even at 0."
})
export interface Facets extends Schema.Schema.Type<typeof Facets> {}

/** A facet offers the values of the filter that has its name. */
export type FacetName = keyof Facets & FilterName

export const BrowsePage = Schema.Struct({
  total: Count,
  page: Count,
  page_size: Count,
  as_of: Instant.annotate({
    description:
      "Every change before this instant is in the list: to hear of later ones, send it as `updated_since`. Pages that were fetched by `after` have that of the first."
  }),
  after: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Send it as `after` for the next page. Missing on the last page, with `group_by`, and where the list is by relevance."
    })
  ),
  corrected_query: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "What was searched for in place of `q`, which found nothing, or hardly anything, as it is spelled. Send `exact=1` to decline the correction.",
      examples: ["springfield greenway"]
    })
  ),
  did_you_mean: Schema.optionalKey(
    Schema.Struct({ q: Schema.String.annotate({ examples: ["springfield greenway"] }), total: Count }).annotate({
      identifier: "DidYouMean",
      description:
        "The query with a word that is hardly on record replaced by one that is often, a letter or a sound away, and what that finds under the same filters. The results are for the query as it is."
    })
  ),
  also_said: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ q: Schema.String.annotate({ examples: ["short term rentals"] }), total: Count }).annotate({
        identifier: "OtherWords",
        description: "The query in other words, and what that finds under the same filters."
      })
    ).annotate({
      description:
        "Other words for what is searched for, if the record has them: from a list of civic speech and, where at most 100 meetings match, words that the record says in the same company."
    })
  ),
  other_words: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "True if `q` as it is finds hardly anything, and the results are also for other words that mean the same. Send `exact=1` to search for `q` alone.",
      examples: [true]
    })
  ),
  dropped: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description:
        "Words of `q` that were let go: in a search of more than 16 those that are said most, the words of a question that say nothing of its subject, and those that no stretch of speech has beside the others. Send `exact=1` to keep the last two.",
      examples: [["the", "of"]]
    })
  ),
  dates: Schema.optionalKey(
    Schema.Struct({
      text: Schema.String.annotate({ description: "The date as it stands in `q`.", examples: ["october 23, 2025"] }),
      q: Schema.optionalKey(
        Schema.String.annotate({
          description: "The words that were searched for, if any are left.",
          examples: ["budget"]
        })
      ),
      date_from: CalendarDate,
      date_to: CalendarDate
    }).annotate({ identifier: "TypedDates", description: "A date among the words of `q`, and what it was taken for." })
  ).annotateKey({
    description:
      "A date in `q` (`october 23, 2025`, `10/23/2025`, `may 2025`, `last september`) is not searched for: only meetings of those days are found. Put it in quotes, or send `exact=1`, to search for it as words."
  }),
  named: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        name: Schema.Literals(["person", "matter"]),
        value: Schema.String.annotate({ description: "As it was sent.", examples: ["Ada Marsh"] }),
        total: Count,
        found: Schema.Array(
          Schema.Struct({
            slug: Slug,
            label: Schema.String.annotate({ examples: ["Ada Marsh"] }),
            path: PagePath.annotate({ examples: ["/people/springfield-ada-marsh"] })
          })
        ).annotate({ description: `The first ${mostNamed}.` })
      }).annotate({ identifier: "NamedByQuery", description: "Who, or what, a query names." })
    )
  ).annotateKey({
    description:
      "Who and what `person:` and `matter:` in `q` stand for, and the filters `person` and `matter`. A `total` of 0 says that nobody, or nothing, on record is called so."
  }),
  words: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        q: Schema.String.annotate({ description: "A word or phrase of `q`.", examples: ["greenway"] }),
        total: Count
      }).annotate({ identifier: "WordTotal", description: "What a word finds by itself, under the same filters." })
    ).annotate({
      description: `Where nothing matches a \`q\` of several words: what each of them finds by itself, the first ${mostWords} of them. A phrase alone is told word by word.`
    })
  ),
  meetings: Schema.Array(MeetingCard),
  by_meaning: Schema.optionalKey(
    Schema.Array(MeetingCard).annotate({
      description:
        "Where the words of `q` find few: meetings that are about the same in other words, the nearest first, as far as the first page has room. They come after `meetings`, and count in no total. `matches` has the item or the line that is near; what only a session may read is compared only for one. Never with `exact=1`, and only where the deployment has a model for it."
    })
  ),
  facets: Facets,
  groups: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ agency: BodyRef, total: Count, meetings: Schema.Array(MeetingCard) }).annotate({
        identifier: "AgencyGroup",
        description: "The matching meetings of one body."
      })
    )
  ),
  groups_total: Schema.optionalKey(Count.annotate({ description: "The number of groups on all pages." })),
  removed: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        id: MeetingId,
        removed_at: Instant,
        merged_into: Schema.optionalKey(
          MeetingId.annotate({ description: "The meeting that it turned out to be: its addresses lead there." })
        )
      }).annotate({
        identifier: "RemovedMeeting",
        description: "A meeting that was taken off the record."
      })
    ).annotate({
      description: `With \`updated_since\`: the meetings taken off the record since, whatever the other filters, oldest first and at most ${mostRemoved}. To list the rest, send the \`removed_at\` of the last one as \`updated_since\`.`
    })
  )
}).annotate({ identifier: "Browse", description: "One page of the held meetings that match, with facet counts." })
export interface BrowsePage extends Schema.Schema.Type<typeof BrowsePage> {}

export const UpcomingQuery = Schema.Struct({
  follow_agency: repeatable(
    slugText,
    "Bodies that are followed, by slug; one filter with `follow_place`, whose union it takes.",
    "springfield-city-council"
  ),
  follow_place: repeatable(
    slugText,
    "Places that are followed, by slug; one filter with `follow_agency`.",
    "springfield"
  ),
  place_slug: parameter(slugText, "Only bodies that serve this place.", "springfield"),
  type: repeatable(BodyKind, "Only bodies of these kinds.", "city_council"),
  within_days: parameter(wholeNumber(1, 30), "How many days ahead: 30 by default, at most 30.", 14),
  per_body: parameter(wholeNumber(1, 10), "Meetings per body: 3 by default, at most 10.", 3),
  page: parameter(wholeNumber(1, 10_000), "Which page, from 1 (the default) to 10000; one past the end is empty.", 1),
  page_size: parameter(wholeNumber(1, 500), "Bodies per page: 200 by default, at most 500.", 200)
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

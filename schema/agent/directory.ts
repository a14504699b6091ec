import { Schema } from "effect"
import { AgencySummary, BodyRef } from "../agency.ts"
import { parameter, shortText, wholeNumber } from "../browse-query.ts"
import { PlaceRef, placeRefFields } from "../place.ts"
import { Count, Instant } from "../primitives.ts"
import { AgentTask } from "./task.ts"

/** What answers at a calendar's address: a vendor's site, or a format. docs/sources.md says what is read of each. */
export const sourceKinds = [
  "legistar",
  "legistar_page",
  "civicclerk",
  "agendacenter",
  "granicus",
  "primegov",
  "escribe",
  "swagit",
  "iqm2",
  "municode",
  "boarddocs",
  "novusagenda",
  "youtube",
  "internet_archive",
  "ical",
  "rss",
  "json"
] as const
export const SourceKind = Schema.Literals(sourceKinds)
export type SourceKind = typeof SourceKind.Type

/** Parameters of `GET /api/agent/sources`. */
export const AgentSourceQuery = Schema.Struct({
  q: parameter(shortText, "Text of the address, of the place's name or of a body that it lists.", "legistar"),
  order: parameter(
    Schema.Literals(["place", "due", "crawled", "failing"]),
    "By place (the default), by when the next crawl is due, by the last crawl, or the longest failing first.",
    "failing"
  ),
  page: parameter(wholeNumber(1, 10_000), "Which page, from 1 (the default); one past the end is empty.", 1),
  page_size: parameter(wholeNumber(1, 200), "Sources per page: 50 by default.", 50)
})
export interface AgentSourceQuery extends Schema.Schema.Type<typeof AgentSourceQuery> {}

export const AgentSource = Schema.Struct({
  id: Schema.String,
  kind: SourceKind,
  url: Schema.String,
  place: PlaceRef,
  every_seconds: Count,
  crawl_at: Schema.optionalKey(
    Instant.annotate({ description: "When it is crawled next; absent while it is paused." })
  ),
  crawled_at: Schema.optionalKey(Instant),
  outcome: Schema.optionalKey(Schema.Literals(["ok", "failed"])),
  failure: Schema.optionalKey(Schema.String),
  failing_since: Schema.optionalKey(Instant),
  bodies: Schema.Array(
    Schema.Struct({
      source_body: Schema.String.annotate({ description: "The body as the source names it." }),
      agency: Schema.optionalKey(
        BodyRef.annotate({ description: "The body on record that it is; absent while it waits for an operator." })
      ),
      like: Schema.optionalKey(BodyRef.annotate({ description: "While it waits, the body that it may be." }))
    })
  ),
  not_imported: Count.annotate({ description: "Meetings that it shows and that are not on record." }),
  permitted: Schema.optionalKey(
    Schema.Struct({ at: Instant, by: Schema.String, why: Schema.String }).annotate({
      description: "An operator's word that its site may be read although its robots.txt refuses programs."
    })
  ),
  crawl: Schema.optionalKey(AgentTask)
}).annotate({ identifier: "AgentSource", description: "A calendar that is crawled, with the bodies that it lists." })
export interface AgentSource extends Schema.Schema.Type<typeof AgentSource> {}

export const AgentSources = Schema.Struct({
  total: Count,
  page: Count,
  page_size: Count,
  sources: Schema.Array(AgentSource)
}).annotate({ identifier: "AgentSources", description: "One page of the sources." })
export interface AgentSources extends Schema.Schema.Type<typeof AgentSources> {}

/** Parameters of `GET /api/agent/agencies`. */
export const AgentAgencyQuery = {
  name: parameter(shortText, "Part of the body's name; misspellings still find.", "city council"),
  place: parameter(shortText, "Only bodies that serve the place with this slug.", "springfield")
}

export const AgentAgencies = Schema.Struct({
  total: Count,
  agencies: Schema.Array(
    Schema.Struct({
      agency: AgencySummary,
      sources: Count.annotate({ description: "How many sources list the body." }),
      latest_meeting: Schema.optionalKey(Schema.String)
    })
  )
}).annotate({ identifier: "AgentAgencies", description: "Bodies that match, the best match first; at most 200." })
export interface AgentAgencies extends Schema.Schema.Type<typeof AgentAgencies> {}

/** Parameters of `GET /api/agent/places`. */
export const AgentPlaceQuery = {
  name: parameter(shortText, "Part of the place's name; misspellings still find.", "springfield")
}

export const AgentPlaces = Schema.Struct({
  total: Count,
  places: Schema.Array(
    Schema.Struct({
      id: Schema.String.annotate({ description: "The id by which completion operations address the place." }),
      ...placeRefFields,
      bodies: Count,
      meetings_held: Count,
      sources: Count,
      run_id: Schema.optionalKey(Schema.String.annotate({ description: "Its completion run, while one is open." }))
    })
  )
}).annotate({ identifier: "AgentPlaces", description: "Places that match, the best match first; at most 200." })
export interface AgentPlaces extends Schema.Schema.Type<typeof AgentPlaces> {}

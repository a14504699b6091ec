import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BrowsePage, BrowseQuery } from "../../schema/browse.ts"
import { Internal, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Surface } from "./surface.ts"

const { fields } = BrowseQuery
const about = <A extends Schema.Top>(field: A, description: string, example: unknown) =>
  field.pipe(Schema.annotateKey({ description, examples: [example as never] }))

const query = {
  ...fields,
  q: about(
    fields.q,
    'Web-search syntax: words, "phrases", -not, or. Ranked by relevance; without it, newest first.',
    "greenway"
  ),
  state: about(fields.state, "Only meetings in these states. May be repeated.", ["IL"]),
  county: about(fields.county, "Only meetings in these counties, by name. May be repeated.", ["Sangamon County"]),
  city: about(fields.city, "Only meetings in these cities, by name. May be repeated.", ["Springfield"]),
  type: about(fields.type, "Only meetings of bodies of these kinds. May be repeated.", ["city_council"]),
  agency: about(fields.agency, "Only meetings of these bodies, as the `agency` facet gives them. May be repeated.", [
    "springfield-city-council"
  ]),
  year: about(fields.year, "Only meetings held in these years. May be repeated.", [2026]),
  agency_slug: about(fields.agency_slug, "Scopes everything to one body.", "springfield-city-council"),
  place_slug: about(fields.place_slug, "Scopes everything to the bodies that serve one place.", "springfield"),
  follow_agency: about(
    fields.follow_agency,
    "Bodies that are followed, by slug; one filter together with `follow_place`, whose union it takes. May be repeated.",
    ["springfield-city-council"]
  ),
  follow_place: about(
    fields.follow_place,
    "Places that are followed, by slug; one filter together with `follow_agency`. May be repeated.",
    ["springfield"]
  ),
  page: about(fields.page, "Which page, from 1 (the default) to 10000; one past the end is empty.", 1),
  page_size: about(fields.page_size, "Meetings a page: 20 unless given, at most 100.", 20),
  group_by: about(fields.group_by, "`agency` adds `groups`: the same meetings by the body that held each.", "agency"),
  per_group: about(fields.per_group, "Meetings a group: 3 unless given, at most 20.", 3)
}

/** Spec 4.3. A static sibling of `/api/meetings/:id`, which it wins over. */
export const BrowseGroup = HttpApiGroup.make("browse")
  .add(
    HttpApiEndpoint.get("search", "/api/meetings/browse", {
      query,
      success: HttpApiSchema.WithHeaders(BrowsePage, {
        link: Schema.String.annotate({
          description:
            "Absolute addresses of the `first`, `prev`, `next` and `last` page, each with every filter (RFC 8288).",
          examples: ['<https://record.example.gov/api/meetings/browse?q=greenway&page=2>; rel="next"']
        })
      }),
      error: [Internal, Unavailable]
    })
      .annotate(Surface, "public")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "browseMeetings",
          summary: "Search and browse held meetings",
          description:
            "Held meetings that fit the filters and the query, a page of them, with facet counts. Each facet is counted under all the other active filters. Unknown parameters are ignored; one that takes a single value is refused when it is given twice."
        })
      )
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Browse", description: "Faceted search over the held meetings." }))

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
    'What to search for, in web-search syntax: words, "phrases", -not, or. Results are ranked by relevance; without `q`, newest first.',
    "greenway"
  ),
  state: about(fields.state, "Only meetings in these states. Repeatable.", ["IL"]),
  county: about(fields.county, "Only meetings in these counties, by name. Repeatable.", ["Sangamon County"]),
  city: about(fields.city, "Only meetings in these cities, by name. Repeatable.", ["Springfield"]),
  type: about(fields.type, "Only meetings of bodies of these kinds. Repeatable.", ["city_council"]),
  agency: about(fields.agency, "Only meetings of these bodies, by slug, as in the `agency` facet. Repeatable.", [
    "springfield-city-council"
  ]),
  year: about(fields.year, "Only meetings held in these years. Repeatable.", [2026]),
  agency_slug: about(
    fields.agency_slug,
    "Only meetings of this body; facets and totals are scoped to it too.",
    "springfield-city-council"
  ),
  place_slug: about(
    fields.place_slug,
    "Only meetings of bodies that serve this place; facets and totals are scoped to it too.",
    "springfield"
  ),
  follow_agency: about(
    fields.follow_agency,
    "Followed bodies, by slug. Together with `follow_place` this is one filter: meetings that match either. Repeatable.",
    ["springfield-city-council"]
  ),
  follow_place: about(
    fields.follow_place,
    "Followed places, by slug. Together with `follow_agency` this is one filter: meetings that match either. Repeatable.",
    ["springfield"]
  ),
  page: about(fields.page, "The page, from 1 (the default) to 10000. A page past the end is empty.", 1),
  page_size: about(fields.page_size, "Meetings per page: 20 by default, at most 100.", 20),
  group_by: about(
    fields.group_by,
    "`agency` adds `groups`: the same meetings grouped by the body that held them.",
    "agency"
  ),
  per_group: about(fields.per_group, "Meetings per group: 3 by default, at most 20.", 3)
}

/** Spec 4.3. A static sibling of `/api/meetings/:id`, over which it takes precedence. */
export const BrowseGroup = HttpApiGroup.make("browse")
  .add(
    HttpApiEndpoint.get("search", "/api/meetings/browse", {
      query,
      success: HttpApiSchema.WithHeaders(BrowsePage, {
        link: Schema.String.annotate({
          description:
            "Absolute addresses of the `first`, `prev`, `next` and `last` pages, with every filter kept (RFC 8288).",
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
            "Returns one page of the held meetings that match the query and filters, with facet counts. Each facet is counted under all the other active filters. Unknown parameters are ignored; a parameter that takes a single value must not be repeated."
        })
      )
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Browse", description: "Faceted search over held meetings." }))

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Browse } from "../../schema/browse.ts"
import { BrowseQuery } from "../../schema/browse-query.ts"
import { mostInSearch } from "../../schema/search-budget.ts"
import { Internal, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Surface } from "./surface.ts"

/** Spec 4.3. A static sibling of `/api/meetings/:id`, which it wins over. */
export const BrowseGroup = HttpApiGroup.make("browse")
  .add(
    HttpApiEndpoint.get("search", "/api/meetings/browse", {
      query: BrowseQuery.fields,
      success: HttpApiSchema.WithHeaders(Browse, {
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
          description: `Held meetings that fit the filters and the query, a page of them, with facet counts. Each facet is counted under all the other active filters. Unknown parameters are ignored; one that takes a single value is refused when it is given twice. A search has a budget: at most ${mostInSearch.words} words and ${mostInSearch.phrases} phrases of ${mostInSearch.words_of_phrase} words; one that asks for more, or takes too long, is refused with \`invalid_request\`, which says what to leave out.`
        })
      )
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Browse", description: "Faceted search over the held meetings." }))

import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BrowsePage } from "../../schema/browse.ts"
import { BrowseQuery } from "../../schema/browse-query.ts"
import { mostInSearch, mostOnPage } from "../../schema/search-budget.ts"
import { Access } from "./access.ts"
import { Internal, Unavailable } from "./errors/classes.ts"
import { CachesResponses, NamesBadFields, PublicRead } from "./middleware.ts"
import { pageLink } from "./page-link.ts"
import { anyoneOrReader, Security } from "./security.ts"
import { Cached, Surface } from "./surface.ts"

/** Spec 4.3. A static sibling of `/api/meetings/:id`, over which it takes precedence. */
export const BrowseGroup = HttpApiGroup.make("browse")
  .add(
    HttpApiEndpoint.get("search", "/api/meetings/browse", {
      query: BrowseQuery.fields,
      success: HttpApiSchema.WithHeaders(BrowsePage, {
        link: pageLink("/api/meetings/browse?q=greenway&page=2")
      }),
      error: [Internal, Unavailable]
    })
      .annotate(Surface, "by_viewer")
      .annotate(Cached, "record")
      .annotate(Security, anyoneOrReader)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "browseMeetings",
          summary: "Search and browse held meetings",
          description: `Returns one page of the held meetings that match the query and filters, with facet counts; with \`status\`, of announced and cancelled ones. To read a list to its end while the record changes, follow \`after\`, and next time send its \`as_of\` as \`updated_since\`. Each facet is counted under all the other active filters. With \`group_by\`, pages are pages of groups. What is said in a meeting can be found by anyone, with the second and how often; with a session, or a share grant for the meeting, its matches have the sentence and the speaker, too. Unknown parameters are ignored; a parameter that takes a single value must not be repeated. Of more than ${mostInSearch.words} plain words, those that are said most are let go, and so are words that no stretch of speech has beside the others (\`dropped\`); a quotation of more than ${mostInSearch.words_of_phrase} words, or that nobody said in a row, is searched for as its words. A search may otherwise have at most ${mostInSearch.words} words and ${mostInSearch.phrases} phrases of ${mostInSearch.words_of_phrase} words each; one that asks for more, takes too long, or has a page of more than ${mostOnPage} MB is refused with \`invalid_request\`, which says what to leave out. Large pages of many words are answered a few at a time; beyond that they are refused with \`unavailable\`.`
        })
      )
  )
  .middleware(CachesResponses)
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Browse", description: "Faceted search over held meetings." }))

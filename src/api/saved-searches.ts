import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { SavedSearch, SavedSearches, SaveSearchRequest, savedSearchLimit } from "../../schema/saved-search.ts"
import { Access } from "./access.ts"
import { Forbidden, Internal, NotFound, Unauthorized, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOnly } from "./security.ts"

const path = "/api/me/saved-searches"
const error = [Unauthorized, Forbidden, Internal, Unavailable] as const

/** Browse queries that readers saved. */
export const SavedSearchesGroup = HttpApiGroup.make("saved_searches")
  .add(
    HttpApiEndpoint.get("list", path, { success: SavedSearches, error }).annotateMerge(
      OpenApi.annotations({
        identifier: "listSavedSearches",
        summary: "List your saved searches",
        description: "Returns all of your saved searches, newest first."
      })
    ),
    HttpApiEndpoint.post("save", path, {
      payload: SaveSearchRequest,
      success: [SavedSearch, SavedSearch.pipe(HttpApiSchema.status(201))],
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "saveSearch",
        summary: "Save a search",
        description: `Saves a browse query, with the same grammar as \`GET /api/meetings/browse\`, and mails its new results as often as \`saved_searches\` in the e-mail preferences says. Returns 201, or 200 if the same query is already saved, which then takes the new name if one is sent. An account can save up to ${savedSearchLimit} searches.`
      })
    ),
    HttpApiEndpoint.delete("remove", `${path}/:id`, {
      params: {
        id: Schema.String.pipe(
          Schema.annotateKey({
            description: "The id of one of your saved searches.",
            examples: ["5d0c3c8e-95a0-4b5c-9d9e-2f6c5b0f7a11"]
          })
        )
      },
      success: HttpApiSchema.NoContent,
      error: [...error, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "removeSavedSearch",
        summary: "Delete a saved search",
        description: "Its results are no longer mailed. Returns 404 if you have no such saved search."
      })
    )
  )
  .annotateEndpoints(Security, sessionOnly)
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Saved searches", description: "Browse queries that readers saved." }))

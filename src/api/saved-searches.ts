import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { SavedSearch, SavedSearches, SaveSearchRequest, savedSearchLimit } from "../../schema/saved-search.ts"
import { Access } from "./access.ts"
import { Forbidden, Internal, NotFound, Unauthorized, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOnly } from "./security.ts"

const path = "/api/me/saved-searches"
const error = [Unauthorized, Forbidden, Internal, Unavailable] as const

/** Browse queries that their readers keep. */
export const SavedSearchesGroup = HttpApiGroup.make("saved_searches")
  .add(
    HttpApiEndpoint.get("list", path, { success: SavedSearches, error }).annotateMerge(
      OpenApi.annotations({
        identifier: "listSavedSearches",
        summary: "The searches you keep",
        description: "All of them, the newest first."
      })
    ),
    HttpApiEndpoint.post("save", path, {
      payload: SaveSearchRequest,
      success: [SavedSearch, SavedSearch.pipe(HttpApiSchema.status(201))],
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "saveSearch",
        summary: "Keep a search",
        description: `Keeps a browse query, read as \`GET /api/meetings/browse\` reads it, and mails what it newly finds by \`saved_searches\` of the e-mail preferences. 201; or 200 where the same query is kept already, which takes the new name where one is given. At most ${savedSearchLimit} an account.`
      })
    ),
    HttpApiEndpoint.delete("remove", `${path}/:id`, {
      params: {
        id: Schema.String.pipe(
          Schema.annotateKey({
            description: "The id of a search that you keep.",
            examples: ["5d0c3c8e-95a0-4b5c-9d9e-2f6c5b0f7a11"]
          })
        )
      },
      success: HttpApiSchema.NoContent,
      error: [...error, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "removeSavedSearch",
        summary: "Keep a search no longer",
        description: "Nothing that it finds is mailed any more. 404 where you keep no such search."
      })
    )
  )
  .annotateEndpoints(Security, sessionOnly)
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "Saved searches", description: "Browse queries that their readers keep." })
  )

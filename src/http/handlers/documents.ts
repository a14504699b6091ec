import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../../layers/config/config.ts"
import { DocumentText } from "../../../schema/document-text.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Documents } from "../../services/meetings/documents.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { asTyped } from "../as-typed.ts"
import { pageLinks } from "../links.ts"

export const DocumentsLive = HttpApiBuilder.group(
  Api,
  "documents",
  Effect.fnUntraced(function* (handlers) {
    const meetings = yield* Meetings
    const documents = yield* Documents
    const { baseUrl } = yield* Environment

    return handlers.handleAll({
      documents: ({ params }) =>
        Effect.flatMap(Effect.mapError(meetings.resolve(params.id), wire), documents.ofMeeting),
      document: ({ params }) => Effect.mapError(documents.document(params.id), wire),
      text: Effect.fnUntraced(function* ({ params, query, request }) {
        const found = yield* Effect.mapError(documents.text(params.id, query), wire)
        const { total, page, page_size } = found
        const link = pageLinks(new URL(request.url, baseUrl), { total, page, pageSize: page_size })
        return asTyped(DocumentText)(found, { link })
      })
    })
  })
)

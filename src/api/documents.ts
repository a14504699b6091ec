import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Documents } from "../../schema/document.ts"
import { DocumentText, DocumentTextQuery, MeetingDocument } from "../../schema/document-text.ts"
import { Gone, Internal, NotFound, Unavailable } from "./errors/classes.ts"
import { meetingRef } from "./meetings.ts"
import { CachesResponses, NamesBadFields, PublicRead } from "./middleware.ts"
import { pageLink } from "./page-link.ts"
import { Cached, Surface } from "./surface.ts"

const params = {
  id: Schema.String.annotate({ description: "The document's id.", examples: ["0c9e4b1a-7d52-8f36-a1e4-5b0d9c8f7a63"] })
}

/** What bodies publish about their meetings. It is public, and so open to everyone. */
export const DocumentsGroup = HttpApiGroup.make("documents")
  .add(
    HttpApiEndpoint.get("documents", "/api/meetings/:id/documents", {
      params: { id: meetingRef },
      success: Documents,
      error: [NotFound, Gone, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "listDocuments",
        summary: "List a meeting's documents",
        description:
          "Returns the agenda, the packet, the minutes and the attachments of a meeting, with where the body publishes each, and whether it was read."
      })
    ),
    HttpApiEndpoint.get("document", "/api/documents/:id", {
      params,
      success: MeetingDocument,
      error: [NotFound, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getDocument",
        summary: "Get a document",
        description:
          "Returns a document of a meeting with its versions: a body may replace what it has published, and what was there before stays."
      })
    ),
    HttpApiEndpoint.get("text", "/api/documents/:id/text", {
      params,
      query: DocumentTextQuery.fields,
      success: HttpApiSchema.WithHeaders(DocumentText, {
        link: pageLink("/api/documents/0c9e4b1a-7d52-8f36-a1e4-5b0d9c8f7a63/text?page=2")
      }),
      error: [NotFound, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getDocumentText",
        summary: "Read a document by page",
        description:
          "Returns the text of one page of a document, or of several (`page_size`). Home addresses and other private words that people write of themselves are taken out, as they are of transcripts."
      })
    )
  )
  .annotateEndpoints(Surface, "public")
  .annotateEndpoints(Cached, "record")
  .middleware(CachesResponses)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "Documents", description: "Agendas, packets, minutes and attachments, by page." })
  )

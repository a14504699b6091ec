import { Schema } from "effect"
import { AgendaItemId, Count, Instant, MeetingId, PagePath, WebAddress } from "./primitives.ts"

export const DocumentKind = Schema.Literals(["agenda", "packet", "minutes", "attachment"]).annotate({
  examples: ["packet"]
})
export type DocumentKind = typeof DocumentKind.Type

export const DocumentId = Schema.String.check(Schema.isUUID()).annotate({
  examples: ["0c9e4b1a-7d52-8f36-a1e4-5b0d9c8f7a63"]
})

/** What was read of a document at one time. */
export const readFields = {
  media_type: Schema.optionalKey(Schema.String.annotate({ examples: ["application/pdf"] })),
  bytes: Schema.optionalKey(Count.annotate({ description: "The length of the file.", examples: [1_204_331] })),
  pages: Schema.optionalKey(Count.annotate({ description: "How many pages the file has.", examples: [212] })),
  fetched_at: Schema.optionalKey(Instant)
}

export const documentFields = {
  id: DocumentId,
  kind: DocumentKind,
  title: Schema.String.annotate({ examples: ["Agenda packet"] }),
  path: PagePath.annotate({
    description: "Its page. `?page=88#page-88` leads to a page of the document.",
    examples: ["/documents/0c9e4b1a-7d52-8f36-a1e4-5b0d9c8f7a63"]
  }),
  source_url: Schema.optionalKey(WebAddress.annotate({ description: "Where the body publishes it." })),
  agenda_item: Schema.optionalKey(AgendaItemId.annotate({ description: "The agenda item that it is about." })),
  state: Schema.Literals(["listed", "read", "unread"]).annotate({
    description:
      "`listed`: it was not fetched yet; `read`: there is text; `unread`: there is none, and `unread` says why.",
    examples: ["read"]
  }),
  unread: Schema.optionalKey(
    Schema.String.annotate({ description: "Why the text of it, or of some of its pages, is not there." })
  ),
  version: Schema.optionalKey(
    Count.annotate({ description: "1 as it was first read; more where the body has replaced it since." })
  ),
  changed_at: Schema.optionalKey(Instant.annotate({ description: "When it was seen to have been replaced." })),
  ...readFields
}

/** A document of a meeting, as lists show it. */
export const DocumentCard = Schema.Struct(documentFields).annotate({
  identifier: "DocumentCard",
  description: "An agenda, a packet, minutes or an attachment of a meeting."
})
export interface DocumentCard extends Schema.Schema.Type<typeof DocumentCard> {}

export const Documents = Schema.Struct({ meeting_id: MeetingId, documents: Schema.Array(DocumentCard) }).annotate({
  identifier: "Documents",
  description: "The documents of a meeting: the agenda first, then the packet, the minutes and the attachments."
})
export interface Documents extends Schema.Schema.Type<typeof Documents> {}

import { Schema } from "effect"
import { DocumentKind } from "./document.ts"
import { AgendaItemId, Count, Instant, MeetingId, Name, NonEmptyText, WebAddress } from "./primitives.ts"

const optional = Schema.optionalKey

/**
 * A document of a meeting as it was last read: the text of its pages, the with home addresses taken out.
 */
export const BundleDocument = Schema.Struct({
  type: Schema.tag("document"),
  meeting_id: MeetingId,
  id: Schema.String.check(Schema.isUUID(undefined, { message: "must be a UUID" })),
  kind: DocumentKind,
  title: Name,
  agenda_item: optional(AgendaItemId),
  source_url: optional(WebAddress),
  /** Counts how often the body has replaced it, from 1. */
  version: optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  media_type: NonEmptyText,
  bytes: optional(Count),
  digest: optional(
    Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/, { message: "must be a SHA-256 in hexadecimal" }))
  ),
  /** How many pages the file has, if that is more than are here. */
  page_count: optional(Count),
  /** Why pages are without their text, as a sentence. */
  unread: optional(NonEmptyText),
  /** How many private words were taken out of it. */
  removals: optional(Count),
  fetched_at: Instant,
  /** The bookmarks of the file, which say where in a packet an item begins. */
  bookmarks: optional(
    Schema.Array(Schema.Struct({ title: NonEmptyText, page: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)) }))
  ),
  pages: Schema.Array(Schema.Struct({ text: Schema.String, from: optional(Schema.Literals(["text", "ocr"])) }))
})
export type BundleDocument = typeof BundleDocument.Type

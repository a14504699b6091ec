import { Schema } from "effect"
import { parameter, wholeNumber } from "./browse-query.ts"
import { DocumentId, documentFields, readFields } from "./document.ts"
import { page } from "./people.ts"
import { Count, Instant, WebAddress } from "./primitives.ts"
import { AtMeeting } from "./vote.ts"

const DocumentVersion = Schema.Struct({
  version: Count,
  source_url: Schema.optionalKey(WebAddress),
  ...readFields,
  replaced_at: Schema.optionalKey(Instant.annotate({ description: "Missing in the current one." }))
}).annotate({ identifier: "DocumentVersion", description: "A document as it was at one time." })

export const MeetingDocument = Schema.Struct({
  ...documentFields,
  meeting: AtMeeting,
  removals: Count.annotate({
    description: "How many home addresses and other private words were taken out of its text.",
    examples: [2]
  }),
  versions: Schema.Array(DocumentVersion)
}).annotate({ identifier: "MeetingDocument", description: "A document with its versions, the newest first." })
export interface MeetingDocument extends Schema.Schema.Type<typeof MeetingDocument> {}

/** The most pages of text in one answer. */
const mostPagesAtOnce = 50

export const DocumentTextQuery = Schema.Struct({
  page,
  page_size: parameter(
    wholeNumber(1, mostPagesAtOnce),
    `How many pages of the document, 1 unless given, at most ${mostPagesAtOnce}.`,
    1
  ),
  version: parameter(wholeNumber(1, 1_000_000), "An earlier version; the current one unless given.", 1)
})
export interface DocumentTextQuery extends Schema.Schema.Type<typeof DocumentTextQuery> {}

export const DocumentPage = Schema.Struct({
  number: Count.annotate({ description: "From 1.", examples: [88] }),
  text: Schema.String.annotate({ description: "Empty if nothing could be read on it." }),
  from: Schema.Literals(["text", "ocr"]).annotate({
    description: "`ocr`: recognized in a picture of the page, so that words may be wrong."
  })
})
export interface DocumentPage extends Schema.Schema.Type<typeof DocumentPage> {}

export const DocumentText = Schema.Struct({
  document: DocumentId,
  version: Count,
  total: Count.annotate({ description: "The pages with text on record." }),
  page: Count,
  page_size: Count,
  pages: Schema.Array(DocumentPage)
}).annotate({ identifier: "DocumentText", description: "Pages of a document's text." })
export interface DocumentText extends Schema.Schema.Type<typeof DocumentText> {}

import { Effect, Schema, Struct } from "effect"
import { DocumentTextQuery } from "../../../schema/document-text.ts"
import { invalidRequest } from "../../api/errors/common.ts"
import { wire } from "../../failures/failures.ts"
import { plural } from "../../pages/said.ts"
import { Documents } from "../../services/meetings/documents.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { type Tool, tool } from "./tool.ts"

/** `get_document`: the documents of a meeting, or one of them by page. */
export const getDocument: Tool = tool(
  "get_document",
  "Read a document",
  "The agenda, packet, minutes and attachments of a meeting (give meeting), or the text of one of them by page (give id, and page for another than the first). They are public; home addresses in letters are taken out.",
  Schema.Struct({
    meeting: Schema.optionalKey(Schema.String.annotate({ description: "The id or slug of a meeting." })),
    id: Schema.optionalKey(Schema.String.annotate({ description: "The id of a document, as its meeting lists it." })),
    ...Struct.pick(DocumentTextQuery.fields, ["page", "page_size", "version"])
  }),
  ({ meeting, id, ...query }) =>
    Effect.gen(function* () {
      const documents = yield* Documents
      if (id !== undefined) {
        const document = yield* Effect.mapError(documents.document(id), wire)
        const text = yield* Effect.mapError(documents.text(id, query), wire)
        const numbers = text.pages.map(({ number }) => number).join(", ")
        const read =
          numbers === "" ? (document.unread ?? "That page is not there.") : `Page ${numbers} of ${text.total}.`
        return { data: { ...document, ...Struct.omit(text, ["document"]) }, text: `${document.title}. ${read}` }
      }
      if (meeting === undefined) {
        return yield* invalidRequest("meeting", "is required", "Give the id of a meeting, or the id of a document.")
      }
      const found = yield* Effect.mapError((yield* Meetings).resolve(meeting), wire)
      const data = yield* documents.ofMeeting(found)
      return { data, text: `${plural(data.documents.length, "document")} found.` }
    })
)

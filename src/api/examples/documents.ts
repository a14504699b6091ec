import type { BodyRef } from "../../../schema/agency.ts"
import type { DocumentCard, Documents } from "../../../schema/document.ts"
import type { DocumentText, MeetingDocument } from "../../../schema/document-text.ts"
import { AgendaItemId, MeetingId } from "../../../schema/primitives.ts"

const id = MeetingId.make("3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90")

/** A packet that its body has replaced once. */
export const packetExample: DocumentCard = {
  id: "0c9e4b1a-7d52-8f36-a1e4-5b0d9c8f7a63",
  kind: "packet",
  title: "Agenda packet",
  path: "/documents/0c9e4b1a-7d52-8f36-a1e4-5b0d9c8f7a63",
  source_url: "https://springfield.example.gov/packets/2026-03-10.pdf",
  state: "read",
  version: 2,
  changed_at: "2026-03-09T14:00:00Z",
  media_type: "application/pdf",
  bytes: 1_204_331,
  pages: 212,
  fetched_at: "2026-03-09T14:00:00Z"
}

const report: DocumentCard = {
  id: "6b1f0d2c-3e84-8a97-b5d0-1c2e3f4a5b6d",
  kind: "attachment",
  title: "Staff report: creek greenway, phase two",
  path: "/documents/6b1f0d2c-3e84-8a97-b5d0-1c2e3f4a5b6d",
  source_url: "https://springfield.example.gov/reports/greenway-2.pdf",
  agenda_item: AgendaItemId.make("8c5d0a3b-1f2e-5c4d-8a9b-0c1d2e3f4a5b"),
  state: "unread",
  unread: "Its pages are empty or pictures that were not read.",
  version: 1,
  media_type: "application/pdf",
  bytes: 840_212,
  pages: 6,
  fetched_at: "2026-03-07T14:00:00Z"
}

/** A response of each operation on documents, by its `operationId`. */
export const documentExamples = (body: BodyRef) => ({
  listDocuments: { meeting_id: id, documents: [packetExample, report] } satisfies Documents,
  getDocument: {
    ...packetExample,
    meeting: {
      id,
      path: "/in/springfield/city-council/2026-03-10-3f2b8c1e",
      date: "2026-03-10",
      body
    },
    removals: 2,
    versions: [
      {
        version: 2,
        source_url: "https://springfield.example.gov/packets/2026-03-10.pdf",
        media_type: "application/pdf",
        bytes: 1_204_331,
        pages: 212,
        fetched_at: "2026-03-09T14:00:00Z"
      },
      {
        version: 1,
        source_url: "https://springfield.example.gov/packets/2026-03-10.pdf",
        media_type: "application/pdf",
        bytes: 1_198_004,
        pages: 209,
        fetched_at: "2026-03-06T14:00:00Z",
        replaced_at: "2026-03-09T14:00:00Z"
      }
    ]
  } satisfies MeetingDocument,
  getDocumentText: {
    document: packetExample.id,
    version: 2,
    total: 212,
    page: 88,
    page_size: 1,
    pages: [{ number: 88, text: "Creek greenway, phase two\nThe bridge is to be built first.", from: "text" }]
  } satisfies DocumentText
})

import { Context, Effect, Layer, Schema } from "effect"
import { dbDies, ReadDb, type ReadSql } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { type DocumentCard, DocumentKind, type Documents as DocumentsOfMeeting } from "../../../schema/document.ts"
import {
  DocumentPage,
  type DocumentText,
  type DocumentTextQuery,
  type MeetingDocument
} from "../../../schema/document-text.ts"
import { AgendaItemId, type MeetingId } from "../../../schema/primitives.ts"
import { documentNotFound, type NotFound } from "../failures.ts"
import { given, givenAddress } from "../wire.ts"
import { AtMeetingRow, atMeeting, atMeetingColumns } from "./at-meeting.ts"
import { idOf } from "./sql.ts"

/** The most documents of one meeting that are listed. */
const mostOfMeeting = 500

const nullable = Schema.NullOr

const VersionRow = Schema.Struct({
  version: Schema.Finite,
  source_url: nullable(Schema.String),
  media_type: Schema.String,
  bytes: nullable(Schema.Finite),
  pages: Schema.Finite,
  fetched_at: Schema.Date,
  replaced_at: nullable(Schema.Date)
})
type VersionRow = typeof VersionRow.Type

const CardRow = Schema.Struct({
  id: Schema.String,
  kind: DocumentKind,
  title: Schema.String,
  source_url: nullable(Schema.String),
  agenda_item_id: nullable(AgendaItemId),
  version: nullable(Schema.Finite),
  failure: nullable(Schema.String),
  media_type: nullable(Schema.String),
  bytes: nullable(Schema.Finite),
  pages: nullable(Schema.Finite),
  unread: nullable(Schema.String),
  removals: nullable(Schema.Finite),
  fetched_at: nullable(Schema.Date),
  has_text: Schema.Boolean
})
export type DocumentCardRow = typeof CardRow.Type

const DocumentRow = Schema.Struct({ ...CardRow.fields, ...AtMeetingRow.fields })

const cardRows = rowsBy(CardRow)
const documentRows = rowsBy(DocumentRow)
const versionRows = rowsBy(VersionRow)
const pageRows = rowsBy(DocumentPage)

/** The columns of a `CardRow`, from rows `d` of `document`, `v` of `document_version` and `i` of `agenda_item`. */
const cardColumns = (
  db: ReadSql
) => db`d.id, d.kind, d.title, d.source_url, i.id as agenda_item_id, d.version, d.failure,
  v.media_type, v.bytes::float8 as bytes, v.pages, v.unread, v.removals, v.fetched_at, exists (
    select from document_page p where p.document_id = d.id and p.version = d.version and p.text <> '') as has_text`

const joined = (db: ReadSql) => db`document d
  left join document_version v on v.document_id = d.id and v.version = d.version
  left join agenda_item i on i.meeting_id = d.meeting_id and i.id = d.agenda_item_id`

export const documentPath = (id: string): string => `/documents/${id}`

/** The address of a page of a document, which carries the words that were searched for. */
export const documentPagePath = (id: string, page: number, words = ""): string =>
  `${documentPath(id)}?${new URLSearchParams({ page: String(page), ...(words === "" ? {} : { q: words }) })}#page-${page}`

const stateOf = ({ version, has_text, failure }: DocumentCardRow): DocumentCard["state"] => {
  if (has_text) return "read"
  return version === null && failure === null ? "listed" : "unread"
}

export const documentCard = (row: DocumentCardRow): DocumentCard => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  path: documentPath(row.id),
  ...givenAddress("source_url", row.source_url),
  ...given("agenda_item", row.agenda_item_id),
  state: stateOf(row),
  ...given("unread", row.unread ?? (row.version === null ? row.failure : null)),
  ...given("version", row.version),
  ...given("changed_at", row.version === null || row.version === 1 ? null : row.fetched_at?.toISOString()),
  ...given("media_type", row.media_type),
  ...given("bytes", row.bytes),
  ...given("pages", row.pages),
  ...given("fetched_at", row.fetched_at?.toISOString())
})

const version = (row: VersionRow): MeetingDocument["versions"][number] => ({
  version: row.version,
  ...givenAddress("source_url", row.source_url),
  media_type: row.media_type,
  ...given("bytes", row.bytes),
  pages: row.pages,
  fetched_at: row.fetched_at.toISOString(),
  ...given("replaced_at", row.replaced_at?.toISOString())
})

/** The documents of a meeting: the agenda, the packet, the minutes, then the attachments in the order of the source. */
export const documentsOf = Effect.fnUntraced(function* (db: ReadSql, meeting: MeetingId) {
  const rows = yield* cardRows(db`
    select ${cardColumns(db)} from ${joined(db)} where d.meeting_id = ${meeting}
    order by array_position('{agenda,packet,minutes,attachment}', d.kind), d.position, d.id
    limit ${mostOfMeeting}`)
  return rows.map(documentCard)
})

/** The documents of meetings: the body's own publications, open to all. */
export class Documents extends Context.Service<
  Documents,
  {
    readonly ofMeeting: (meeting: MeetingId) => Effect.Effect<DocumentsOfMeeting>
    readonly document: (id: string) => Effect.Effect<MeetingDocument, NotFound>
    /** Pages of its text; of a version that is not on record, none. */
    readonly text: (id: string, query: DocumentTextQuery) => Effect.Effect<DocumentText, NotFound>
  }
>()("civic-record/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const db = yield* ReadDb

      const ofMeeting = Effect.fn("Documents.ofMeeting")(function* (meeting: MeetingId) {
        return { meeting_id: meeting, documents: yield* documentsOf(db, meeting) }
      }, dbDies)

      const document = Effect.fn("Documents.document")(function* (id: string) {
        const [row] = yield* documentRows(db`
          select ${cardColumns(db)}, ${atMeetingColumns(db)}
          from ${joined(db)} join meeting m on m.id = d.meeting_id join body b on b.id = m.body_id
          where d.id = ${idOf(id)}`)
        const meeting = row === undefined ? undefined : atMeeting(row)
        if (row === undefined || meeting === undefined) return yield* documentNotFound(id)
        const versions = yield* versionRows(db`
          select version, source_url, media_type, bytes::float8 as bytes, pages, fetched_at, replaced_at
          from document_version where document_id = ${row.id} order by version desc limit 100`)
        return { ...documentCard(row), meeting, removals: row.removals ?? 0, versions: versions.map(version) }
      }, dbDies)

      const text = Effect.fn("Documents.text")(function* (id: string, query: DocumentTextQuery) {
        const { page = 1, page_size = 1 } = query
        const [row] = yield* db<{ id: string; version: number; total: number }>`
          select d.id, wanted.version, (select count(*)::int from document_page p
            where p.document_id = d.id and p.version = wanted.version) as total
          from document d, lateral (select coalesce(${query.version ?? null}::int, d.version, 1) as version) wanted
          where d.id = ${idOf(id)}`
        if (row === undefined) return yield* documentNotFound(id)
        const pages = yield* pageRows(db`
          select number, text, case when is_recognized then 'ocr' else 'text' end as "from" from document_page
          where document_id = ${row.id} and version = ${row.version}
            and number > ${(page - 1) * page_size} and number <= ${page * page_size}
          order by number`)
        return { document: row.id, version: row.version, total: row.total, page, page_size, pages }
      }, dbDies)

      return { ofMeeting, document, text }
    })
  )
}

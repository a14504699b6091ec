import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleDocument } from "../../../schema/bundle-document.ts"
import { noteWords } from "../../services/meetings/word-forms.ts"
import { settled } from "./directory.ts"
import { tieItems } from "./item-pages.ts"
import { refused } from "./outcome.ts"

/** The pages as rows, numbered from 1. */
const rowsOf = ({ pages }: BundleDocument) =>
  JSON.stringify(pages.map(({ text, from }, at) => ({ number: at + 1, text, is_recognized: from === "ocr" })))

/**
 * Writes a document under its id, with the text of its pages. An earlier version stays, as replaced when this one was
 * fetched; the same version is written over.
 */
export const writeDocument = Effect.fnUntraced(function* (db: Sql, document: BundleDocument, hash: string) {
  const { id, meeting_id, source_url, version = 1, fetched_at, pages } = document
  const [other] = yield* db`select from document where id = ${id} and meeting_id <> ${meeting_id}`
  if (other !== undefined) return refused("id", "is a document of another meeting; give each document an id of its own")
  // What the meeting's fields list is this document, by whatever id a bundle knows it.
  yield* db`
    delete from document where meeting_id = ${meeting_id} and source_url = ${source_url ?? null} and id <> ${id}
      and version is null`
  const row = {
    id,
    meeting_id,
    agenda_item_id: document.agenda_item ?? null,
    kind: document.kind,
    title: document.title,
    source_url: source_url ?? null,
    version,
    content_hash: hash
  }
  const [written] = yield* db<{ created: boolean }>`
    insert into document as d ${db.insert({ ...row, position: 0 })}
    on conflict (id) do update set agenda_item_id = excluded.agenda_item_id, kind = excluded.kind,
      title = excluded.title, source_url = excluded.source_url, version = excluded.version,
      content_hash = excluded.content_hash
    where d.content_hash <> excluded.content_hash
    returning xmax = 0 as created`
  const outcome = settled(written)
  if (outcome._tag === "Unchanged") return outcome
  yield* db`
    update document_version set replaced_at = ${fetched_at}
    where document_id = ${id} and version < ${version} and replaced_at is null`
  yield* db`delete from document_version where document_id = ${id} and version >= ${version}`
  yield* db`insert into document_version ${db.insert({
    document_id: id,
    version,
    source_url: source_url ?? null,
    media_type: document.media_type,
    bytes: document.bytes ?? null,
    digest: document.digest ?? null,
    pages: document.page_count ?? pages.length,
    unread: document.unread ?? null,
    removals: document.removals ?? 0,
    bookmarks: JSON.stringify(document.bookmarks ?? []),
    fetched_at
  })}`
  if (pages.length === 0) {
    yield* tieItems(db, meeting_id)
    return outcome
  }
  // What was recognized in pictures has words that nobody wrote.
  yield* noteWords(
    db,
    pages.flatMap(({ text, from }) => (from === "ocr" ? [] : [text]))
  )
  yield* db`
    insert into document_page (document_id, version, number, text, is_recognized)
    select ${id}, ${version}, number, text, is_recognized
    from json_to_recordset(${rowsOf(document)}::json) as page (number int, text text, is_recognized boolean)`
  yield* tieItems(db, meeting_id)
  return outcome
})

import { Effect, Schema } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { given } from "../../services/wire.ts"
import { itemPages } from "../../text/packets/item-pages.ts"

const packets = rowsBy(
  Schema.Struct({
    id: Schema.String,
    bookmarks: Schema.Array(Schema.Struct({ title: Schema.String, page: Schema.Int })),
    pages: Schema.Array(Schema.Struct({ number: Schema.Int, text: Schema.String }))
  })
)

const itemRows = rowsBy(
  Schema.Struct({ id: Schema.String, number: Schema.NullOr(Schema.String), title: Schema.String })
)

/** The characters of a page that are looked at: those of an agenda's page name several items. */
const lookedAt = 3000

/**
 * Ties the items of a meeting's agenda to the pages of its packets, in the transaction of whatever wrote either. What
 * was
 * tied before is replaced.
 */
export const tieItems = Effect.fnUntraced(function* (db: Sql, meeting: MeetingId) {
  const read = yield* packets(db`
    select d.id, v.bookmarks, coalesce((
      select json_agg(json_build_object('number', p.number, 'text', left(p.text, ${lookedAt})) order by p.number)
      from document_page p where p.document_id = d.id and p.version = d.version), '[]') as pages
    from document d join document_version v on v.document_id = d.id and v.version = d.version
    where d.meeting_id = ${meeting} and d.kind = 'packet'`)
  if (read.length === 0) return
  const items = yield* itemRows(db`
    select id, number, title from agenda_item where meeting_id = ${meeting} order by position`)
  const named = items.map(({ number, ...item }) => ({ ...item, ...given("number", number) }))
  const rows = read.flatMap(({ id, bookmarks, pages }) =>
    [...itemPages(named, bookmarks, pages)].map(([item, page]) => ({ item, document: id, page }))
  )
  yield* db`delete from agenda_item_page where meeting_id = ${meeting}`
  if (rows.length === 0) return
  yield* db`
    insert into agenda_item_page (meeting_id, agenda_item_id, document_id, page)
    select ${meeting}, tied.item, tied.document, tied.page
    from json_to_recordset(${JSON.stringify(rows)}::json) as tied (item uuid, document uuid, page int)`
})

import { Context, Effect } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import type { Found, Narrowed, Wanted } from "../found/found.ts"
import { findInSql } from "../found/found-in-sql.ts"

/** Up to `few` ids are sent to the database; for more, it lists at most this `share` of the record. */
export const UpdateSizes = Context.Reference("civic-record/UpdateSizes", {
  defaultValue: () => ({ few: 2000, share: 0.25 })
})

/**
 * A page of matching meetings, most recently changed first. The index knows which meetings match; the database knows
 * when they changed. A few matches are sorted by the database; if there are many, enough of them are among the most
 * recently changed meetings, which the database lists.
 */
export const pageByUpdate = Effect.fn("SearchIndex.pageByUpdate")(function* (
  db: ReadSql,
  wanted: Wanted,
  narrowed: Narrowed,
  { offset, limit }: Parameters<Found["page"]>[1],
  index: {
    readonly held: number
    /** The matching meetings: all, or those among the given ones. */
    readonly all: () => ReadonlyArray<string>
    readonly among: (ids: ReadonlyArray<string>) => ReadonlyArray<string>
  }
) {
  const { few, share } = yield* UpdateSizes
  const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)
  if (narrowed.total <= few) {
    return idsOf(
      yield* db<{ id: string }>`
        select m.id from unnest(${index.all()}::text[]) fit (id) join meeting m on m.id = fit.id::uuid
        order by m.updated_at desc, m.id limit ${limit} offset ${offset}`
    )
  }
  // Somewhat more than would suffice if matching meetings changed as often as others.
  for (let listed = ((offset + limit) * 1.5 * index.held) / narrowed.total; listed <= index.held * share; listed *= 4) {
    const [row] = yield* db<{ ids: ReadonlyArray<string> }>`
      select array(
        select id::text from meeting where status = 'held'
        order by updated_at desc, id limit ${Math.ceil(listed)}) as ids`
    const page = index.among(row?.ids ?? []).slice(offset, offset + limit)
    if (page.length === limit) return page
  }
  return yield* findInSql(db, wanted).page(narrowed, { offset, limit })
})

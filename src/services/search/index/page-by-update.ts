import { Context, Effect } from "effect"
import type { Sql } from "../../../../layers/db.ts"
import type { Found, Narrowed, Wanted } from "../found.ts"
import { findInSql } from "../found-in-sql.ts"
import { foundMeetings } from "../found-meetings.ts"

/** Of `few`, the database is told which they are. It looks through at most this `share` of the record. */
export const UpdateSizes = Context.Reference("civic-record/UpdateSizes", {
  defaultValue: () => ({ few: 5000, share: 0.25 })
})

/**
 * A page of what fits, changed last first. The index knows which meetings fit, but not when they changed. If they are few,
 * the database sorts them; if they are many, enough of them are among those that changed last, which it looks through.
 */
export const pageByUpdate = Effect.fn("SearchIndex.pageByUpdate")(function* (
  db: Sql,
  wanted: Wanted,
  narrowed: Narrowed,
  { offset, limit }: Parameters<Found["page"]>[1],
  index: { readonly held: number; readonly ids: () => ReadonlyArray<string> }
) {
  const { filters, search } = wanted
  const { few, share } = yield* UpdateSizes
  const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)
  if (narrowed.total <= few) {
    return idsOf(
      yield* db<{ id: string }>`
        select m.id from unnest(${index.ids()}::text[]) fit (id) join meeting m on m.id = fit.id::uuid
        order by m.updated_at desc, m.id limit ${limit} offset ${offset}`
    )
  }
  for (let looked = ((offset + limit) * 3 * index.held) / narrowed.total; looked <= index.held * share; looked *= 4) {
    const rows = yield* db<{ id: string }>`
      with latest as materialized (
        select id, updated_at from meeting where status = 'held' order by updated_at desc, id limit ${Math.ceil(looked)})
      select l.id from latest l, lateral (
        select from ${foundMeetings(db, filters, search)} found where found.id = l.id offset 0) fit
      order by l.updated_at desc, l.id limit ${limit} offset ${offset}`
    if (rows.length === limit) return idsOf(rows)
  }
  return yield* findInSql(db, wanted).page(narrowed, { offset, limit })
})

import { DateTime, Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import { Operator } from "../history.ts"

/** Who moved something, if no operator did it by hand. */
const byRun = "a completion run"

/** Begins the record of a merge or a move, in its transaction; returns its id. */
const begin = Effect.fnUntraced(function* (
  db: Sql,
  kind: "merge" | "move",
  names: { readonly from_slug: string; readonly into_slug: string }
) {
  const at = DateTime.formatIso(yield* DateTime.now)
  const rows = yield* db<{ id: string }>`
    insert into reversal ${db.insert({ at, kind, operator: (yield* Operator) ?? byRun, ...names, body: kind === "merge" ? "{}" : null })}
    returning id`
  return rows.map(({ id }) => id).join()
})

/** Keeps what undoes a merge of the body `from` into `into`; called in its transaction, before anything changes. */
export const keepMerge = Effect.fnUntraced(function* (db: Sql, from: number, into: number) {
  const slugs = yield* db<{ id: number; slug: string }>`select id, slug from body where id in (${from}, ${into})`
  const slugOf = (body: number) => slugs.find(({ id }) => id === body)?.slug ?? ""
  const id = yield* begin(db, "merge", { from_slug: slugOf(from), into_slug: slugOf(into) })
  yield* db`
    update reversal set body = (
      select jsonb_build_object('id', b.id, 'slug', b.slug, 'segment', b.segment, 'name', b.name, 'kind', b.kind,
        'website', b.website, 'content_hash', b.content_hash, 'into', ${into}::int,
        'places', array(select place_id from body_place where body_id = b.id order by position),
        'retired', array(select slug from retired_slug where body_id = b.id),
        'same_as', array(select id from discovered where same_as = b.id),
        'addresses', coalesce((select jsonb_agg(jsonb_build_object('place', place_id, 'segment', segment))
          from body_address where body_id = b.id), '[]'))
      from body b where b.id = ${from})
    where id = ${id}`
  yield* db`
    insert into reversal_meeting (reversal_id, meeting_id, from_body, into_body)
    select ${id}::uuid, id, ${from}::int, ${into}::int from meeting where body_id = ${from}`
  yield* db`
    insert into reversal_source (reversal_id, source_id, source_body, from_body, into_body)
    select ${id}::uuid, source_id, source_body, ${from}::int, ${into}::int from source_body where body_id = ${from}`
  yield* db`
    insert into reversal_follower (reversal_id, account_id, both_followed)
    select ${id}::uuid, account_id, exists (
      select from followed_body o where o.account_id = f.account_id and o.body_id = ${into})
    from followed_body f where body_id = ${from}`
})

/** A meeting, or the name of a source, that goes from one body to another. */
interface Moves {
  readonly meetings?: ReadonlyArray<{ readonly id: string; readonly from: number; readonly into: number }>
  readonly sources?: ReadonlyArray<{
    readonly source: string
    readonly name: string
    readonly from: number | null
    readonly into: number
  }>
}

/** Keeps what undoes a move of meetings, and of names of sources, in its transaction. */
export const keepMove = Effect.fnUntraced(function* (db: Sql, { meetings = [], sources = [] }: Moves) {
  const first = meetings[0] ?? sources[0]
  if (first === undefined) return
  const slugs = yield* db<{ id: number; slug: string }>`
    select id, slug from body where id in (${first.from ?? 0}, ${first.into})`
  const slugOf = (body: number | null) => slugs.find(({ id }) => id === body)?.slug ?? "none"
  const id = yield* begin(db, "move", { from_slug: slugOf(first.from), into_slug: slugOf(first.into) })
  yield* db`
    insert into reversal_meeting (reversal_id, meeting_id, from_body, into_body)
    select ${id}::uuid, moved.id, moved."from", moved."into"
    from json_to_recordset(${JSON.stringify(meetings)}::json) as moved (id uuid, "from" int, "into" int)`
  yield* db`
    insert into reversal_source (reversal_id, source_id, source_body, from_body, into_body)
    select ${id}::uuid, moved.source, moved.name, moved."from", moved."into"
    from json_to_recordset(${JSON.stringify(sources)}::json) as moved (source uuid, name text, "from" int, "into" int)`
})

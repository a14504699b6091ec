import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { UpdateSourceBodiesRequest } from "../../../schema/agent/completion.ts"
import { UnknownAgency, UnlistedBody } from "../failures.ts"
import { keepMove } from "../meetings/kept-moves.ts"
import { bodyWithSlug } from "../meetings/sql.ts"

/** The bodies on record that these slugs name, in their order, or why one of them cannot be mapped to. */
type BodiesOf<E> = (slugs: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<{ readonly id: number }>, E>

/** Every body on record: what operators may map to. */
export const anyBody =
  (db: Sql): BodiesOf<UnknownAgency> =>
  (slugs) =>
    Effect.orDie(bodyWithSlug(db, slugs)).pipe(
      Effect.flatMap((known) =>
        Effect.forEach(slugs, (slug, at) => {
          const body = known.find((one) => one.slug === slug)
          return body === undefined
            ? Effect.fail(new UnknownAgency({ field: `bodies.${at}.agency_slug`, slug }))
            : Effect.succeed(body)
        })
      )
    )

/**
 * Maps bodies that a source has listed to bodies on record; the caller's transaction holds the source's row. Meetings
 * that came to a body by the mapping before go with it, and are announced by `announceStale`; those that were moved by
 * hand stay. Returns whether anything changed. Of a body that is named twice, the last mapping counts.
 */
export const mapSourceBodies = Effect.fnUntraced(function* <E>(
  db: Sql,
  source: string,
  { bodies }: UpdateSourceBodiesRequest,
  bodiesOf: BodiesOf<E>
) {
  const named = yield* bodiesOf(bodies.map(({ agency_slug }) => agency_slug))
  const before = new Map(
    (yield* db<{ name: string; body: number | null }>`
      select source_body as name, body_id as body from source_body
      where source_id = ${source} and source_body = any(${bodies.map(({ source_body }) => source_body)}::text[])`).map(
      ({ name, body }) => [name, body]
    )
  )
  const unlisted = bodies.findIndex(({ source_body }) => !before.has(source_body))
  if (unlisted >= 0) {
    return yield* new UnlistedBody({
      field: `bodies.${unlisted}.source_body`,
      name: bodies[unlisted]?.source_body ?? ""
    })
  }
  const wanted = new Map(bodies.map(({ source_body }, at) => [source_body, named[at]?.id]))
  const changes = [...wanted].flatMap(([name, body]) => {
    const from = before.get(name) ?? null
    return body === undefined || body === from ? [] : [{ name, from, body }]
  })
  if (changes.length === 0) return false
  const changed = db`
    changed as (
      select * from json_to_recordset(${JSON.stringify(changes)}::json) as changed (name text, "from" int, body int))`
  yield* keepMove(db, {
    sources: changes.map(({ name, from, body }) => ({ source, name, from, into: body })),
    meetings: yield* db<{ id: string; from: number; into: number }>`
      with ${changed}
      select m.id, m.body_id as "from", changed.body as "into" from changed
      join discovered d on d.source_body = changed.name and d.source_id = ${source}
      join meeting m on m.id = d.id and m.body_id = changed.from for no key update of m`
  })
  yield* db`
    with ${changed},
    mapped as (
      update source_body sb set body_id = changed.body from changed
      where sb.source_id = ${source} and sb.source_body = changed.name),
    moved as (
      update meeting m set body_id = changed.body from changed join discovered d on d.source_body = changed.name
      where d.source_id = ${source} and m.id = d.id and m.body_id = changed.from returning m.id)
    insert into stale_meeting (meeting_id, briefing) select id, false from moved order by id on conflict do nothing`
  return true
})

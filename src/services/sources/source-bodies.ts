import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { UpdateSourceBodiesRequest } from "../../../schema/agent/completion.ts"
import { UnknownAgency } from "../failures.ts"
import { bodyWithSlug } from "../meetings/sql.ts"

/**
 * Maps bodies of a source, whose row the caller's transaction holds, to bodies on record. Returns whether that changed
 * anything. Of a body that is named twice, the last mapping counts.
 */
export const mapSourceBodies = Effect.fnUntraced(function* (
  db: Sql,
  source: string,
  { bodies }: UpdateSourceBodiesRequest
) {
  const known = new Map(
    (yield* bodyWithSlug(
      db,
      bodies.map(({ agency_slug }) => agency_slug)
    )).map(({ slug, id }) => [slug, id])
  )
  const unknown = bodies.findIndex(({ agency_slug }) => !known.has(agency_slug))
  if (unknown >= 0) {
    return yield* new UnknownAgency({
      field: `bodies.${unknown}.agency_slug`,
      slug: bodies[unknown]?.agency_slug ?? ""
    })
  }
  const wanted = [...new Map(bodies.map(({ source_body, agency_slug }) => [source_body, known.get(agency_slug)]))]
  const mapped = yield* db`
    insert into source_body as sb (source_id, source_body, body_id)
    select ${source}, name, body from json_to_recordset(${JSON.stringify(
      wanted.map(([name, body]) => ({ name, body }))
    )}::json) as wanted (name text, body int)
    on conflict (source_id, source_body) do update set body_id = excluded.body_id
    where sb.body_id is distinct from excluded.body_id returning source_body`
  return mapped.length > 0
})

import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleEntity } from "../../../schema/bundle.ts"

/** What meetings show of a body, by the body's id: its name, kind, path and places, as one text to compare. */
type ShownBodies = ReadonlyMap<number, string>

/** What meetings show of the bodies that these entities name, or that serve a place they name. */
export const shownBodies = Effect.fnUntraced(function* (db: Sql, entities: ReadonlyArray<BundleEntity>) {
  const agencies = entities.flatMap((entity) => (entity.type === "agency" ? [entity.slug] : []))
  const places = entities.flatMap((entity) => (entity.type === "place" ? [entity.slug] : []))
  if (agencies.length + places.length === 0) return new Map<number, string>()
  const rows = yield* db<{ id: number; shown: string }>`
    select b.id, json_build_array(b.segment, b.name, b.kind, (
      select json_agg(json_build_array(p.slug, p.name, p.kind, p.state, p.county) order by bp.position)
      from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id))::text as shown
    from body b
    where b.slug = any(${agencies}::text[]) or b.id in (
      select bp.body_id from body_place bp join place p on p.id = bp.place_id where p.slug = any(${places}::text[]))`
  return new Map(rows.map(({ id, shown }) => [id, shown]))
})

/** The bodies that are shown differently now: the cards and search words of their meetings changed with them. */
export const changedBodies = (before: ShownBodies, after: ShownBodies): ReadonlyArray<number> =>
  [...before].flatMap(([id, shown]) => (after.get(id) === shown ? [] : [id]))

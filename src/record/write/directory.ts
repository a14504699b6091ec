import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleAgency, BundlePlace } from "../../../schema/bundle.ts"
import { created, type Outcome, refused, unchanged, updated } from "./outcome.ts"

/** Writes one place under its slug. */
export const writePlace = Effect.fnUntraced(function* (db: Sql, place: BundlePlace, hash: string) {
  const row = {
    slug: place.slug,
    name: place.name,
    kind: place.kind,
    state: place.state,
    county: place.county ?? null,
    zips: place.zips ?? [],
    latitude: place.latitude ?? null,
    longitude: place.longitude ?? null,
    content_hash: hash
  }
  const written = yield* db<{ created: boolean }>`
    insert into place as p ${db.insert(row)}
    on conflict (slug) do update set
      name = excluded.name, kind = excluded.kind, state = excluded.state, county = excluded.county, zips = excluded.zips,
      latitude = excluded.latitude, longitude = excluded.longitude, content_hash = excluded.content_hash
    where p.content_hash <> excluded.content_hash
    returning xmax = 0 as created`
  return settled(written[0])
})

/** Ties what named a body by its slug to the body, which has come on record since. */
const tieToBody = Effect.fnUntraced(function* (db: Sql, id: number, slug: string) {
  for (const table of ["membership", "matter", "matter_step"]) {
    yield* db`update ${db(table)} set body_id = ${id} where body_id is null and agency = ${slug}`
  }
})

export const settled = (row: { readonly created: boolean } | undefined): Exclude<Outcome, { _tag: "Refused" }> =>
  row === undefined ? unchanged : row.created ? created : updated

/**
 * Writes one body under its slug, with the places it serves, and the slugs and addresses it used to have. Where another
 * body has its segment at one of the places, the next free one is taken and noted (`free_segment`).
 */
export const writeAgency = Effect.fnUntraced(function* (db: Sql, agency: BundleAgency, hash: string) {
  const places = yield* db<{ id: number; slug: string }>`select id, slug from place where slug = any(${agency.places})`
  const missing = agency.places.find((slug) => !places.some((place) => place.slug === slug))
  if (missing !== undefined) return refused("places", `place ${missing} is neither on record nor on an earlier line`)
  // A slug that another body has retired stays with that body: an old file does not split what was merged.
  const retired = yield* db`select from retired_slug where slug = ${agency.slug}`
  if (retired.length > 0) return unchanged
  const [known] = yield* db<{ id: number; content_hash: string }>`
    select id, content_hash from body where slug = ${agency.slug}`
  if (known?.content_hash === hash) return unchanged
  const [free] = yield* db<{ segment: string }>`
    select free_segment(${agency.segment}, ${known?.id ?? null}::int, ${places.map(({ id }) => id)}::int[]) as segment`
  const segment = free?.segment ?? agency.segment
  const row = {
    slug: agency.slug,
    segment,
    name: agency.name,
    kind: agency.kind,
    website: agency.website ?? null,
    content_hash: hash
  }
  // Places that it leaves do not get its new segment.
  yield* db`delete from body_place where body_id = ${known?.id ?? null}::int`
  const written = yield* db<{ id: number; created: boolean }>`
    insert into body as b ${db.insert(row)}
    on conflict (slug) do update set
      segment = excluded.segment, name = excluded.name, kind = excluded.kind, website = excluded.website,
      content_hash = excluded.content_hash
    where b.content_hash <> excluded.content_hash
    returning id, xmax = 0 as created`
  const body = written[0]
  if (body === undefined) return unchanged
  yield* db`delete from body_place where body_id = ${body.id}`
  yield* db`
    insert into body_place (body_id, place_id, position)
    select ${body.id}, p.id, listed.position - 1
    from unnest(${agency.places}::text[]) with ordinality listed (slug, position) join place p on p.slug = listed.slug`
  yield* db`
    insert into retired_slug (slug, body_id)
    select slug, ${body.id} from unnest(${agency.retired_slugs ?? []}::text[]) slug
    on conflict (slug) do nothing`
  yield* db`
    insert into body_address (place_id, segment, body_id)
    select p.id, split_part(path, '/', 2), ${body.id} from unnest(${agency.retired_paths ?? []}::text[]) path
    join place p on p.slug = split_part(path, '/', 1) on conflict do nothing`
  if (body.created) yield* tieToBody(db, body.id, agency.slug)
  if (segment === agency.segment) return settled(body)
  const message = `is that of another body in ${agency.places.join(" or ")}; this one is given ${segment}`
  return { ...settled(body), notes: [{ field: "segment", message }] }
})

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

export const settled = (row: { readonly created: boolean } | undefined): Exclude<Outcome, { _tag: "Refused" }> =>
  row === undefined ? unchanged : row.created ? created : updated

/** Writes one body under its slug, with the places it serves and the slugs it used to have. */
export const writeAgency = Effect.fnUntraced(function* (db: Sql, agency: BundleAgency, hash: string) {
  const places = yield* db<{ slug: string }>`select slug from place where slug = any(${agency.places})`
  const missing = agency.places.find((slug) => !places.some((place) => place.slug === slug))
  if (missing !== undefined) return refused("places", `place ${missing} is neither on record nor on an earlier line`)
  const row = {
    slug: agency.slug,
    segment: agency.segment,
    name: agency.name,
    kind: agency.kind,
    website: agency.website ?? null,
    content_hash: hash
  }
  // A slug that another body has retired stays with that body: an old file does not split what was merged.
  const retired = yield* db`select from retired_slug where slug = ${agency.slug}`
  if (retired.length > 0) return unchanged
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
  return settled(body)
})

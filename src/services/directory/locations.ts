import { randomUUID } from "node:crypto"
import { Context, Effect, Layer, Option } from "effect"
import { dbDies, ReadDb } from "../../../layers/db.ts"
import { Geocoder } from "../../../layers/geocoder.ts"
import { type BodyKind, bodyKindLabels } from "../../../schema/agency.ts"
import type { GeoMatch, GeoPlace, GeoSuggestions, LocationResults } from "../../../schema/geo.ts"
import type { PlaceKind } from "../../../schema/place.ts"
import { locationNotFound, type NotFound } from "../failures.ts"
import { type BodyRow, bodyPath, bodyRef, type PlaceRow, placePath, placeRef } from "../meetings/wire.ts"

type Found = LocationResults["results"][number]

interface FoundRow {
  readonly what: "place" | "body"
  readonly slug: string
  readonly name: string
  readonly place_kind: PlaceKind | null
  readonly body_kind: BodyKind | null
  readonly segment: string | null
  readonly first_place: string | null
  readonly seat: string
  readonly state: string
  readonly meetings_held: number
}

const most = 20

/** How similar a name and what was typed must be: pg_trgm's word similarity, from 0 to 1. */
const leastSimilarity = 0.45

const kindOf = (kind: BodyKind | null): string =>
  kind === null || kind === "other" ? "Public body" : bodyKindLabels[kind]

const result = (row: FoundRow, match: Found["match"]): Found => ({
  kind: row.what,
  slug: row.slug,
  name: row.name,
  path: row.what === "place" ? placePath(row.slug) : bodyPath(row.first_place ?? undefined, row.segment ?? ""),
  detail:
    row.what === "body"
      ? `${kindOf(row.body_kind)} of ${row.seat}, ${row.state}`
      : row.place_kind === "county"
        ? `County in ${row.state}`
        : `City in ${row.seat === "" ? row.state : `${row.seat}, ${row.state}`}`,
  meetings_held: row.meetings_held,
  match
})

/** Finds places and bodies by name, address or ZIP code, and the place where a visitor is (spec 4.4). */
export class Locations extends Context.Service<
  Locations,
  {
    /** The best matches first, at most 20. An empty query returns the places that hold the most of the record. */
    readonly search: (q: string) => Effect.Effect<LocationResults>
    /** The place on record that a visitor's city and region name. */
    readonly match: (city: string, region: string) => Effect.Effect<GeoMatch>
    /** `session` ties the keystrokes of one search together; without one, a new one begins and is sent back. */
    readonly suggest: (q: string, session?: string) => Effect.Effect<GeoSuggestions>
    readonly resolve: (placeId: string, session?: string) => Effect.Effect<GeoPlace, NotFound>
  }
>()("civic-record/Locations") {
  static readonly layer = Layer.effect(
    Locations,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const geocoder = yield* Geocoder

      /** The places with a meeting on record and all bodies, in one list with the columns of a `FoundRow`. */
      const known = db`
        select 'place' as what, p.slug, p.name, p.kind as place_kind, null as body_kind, null as segment,
          null as first_place, coalesce(p.county, '') as seat, p.state,
          (select coalesce(sum(h.held), 0)::int from body_place bp join held_count h on h.body_id = bp.body_id
            where bp.place_id = p.id) as meetings_held,
          p.id as place_id
        from place p
        where exists (select from body_place bp join meeting m on m.body_id = bp.body_id where bp.place_id = p.id)
        union all
        select 'body', b.slug, b.name, null, b.kind, b.segment, f.slug, f.name, f.state,
          (select coalesce(sum(h.held), 0)::int from held_count h where h.body_id = b.id),
          f.id
        from body b join lateral (
          select p.id, p.slug, p.name, p.state from body_place bp join place p on p.id = bp.place_id
          where bp.body_id = b.id order by bp.position limit 1
        ) f on true`

      const top = db<FoundRow>`
        select * from (${known}) k where what = 'place' order by meetings_held desc, name, slug limit ${most}`

      const named = (q: string) => db<FoundRow>`
        select * from (
          select k.*, fold(k.name) as folded,
            greatest(word_similarity(fold(${q}), fold(k.name)), similarity(fold(${q}), fold(k.name))) as likeness
          from (${known}) k
        ) l
        where likeness >= ${leastSimilarity}
        order by folded = fold(${q}) desc, starts_with(folded, fold(${q})) desc, round(likeness::numeric, 1) desc,
          meetings_held desc, name, slug
        limit ${most}`

      /** The places that a ZIP code, city or county names, and the bodies that serve them. */
      const around = (zip: string, city: string, county: string, state: string) => db<FoundRow>`
        select k.* from (${known}) k
        join place p on p.id = k.place_id
        where ${zip} <> '' and ${zip} = any(p.zips)
          or ${state} <> '' and p.state = ${state} and (
            p.kind = 'city' and ${city} <> '' and fold(p.name) = fold(${city})
            or p.kind = 'county' and ${county} <> '' and fold(p.name) = fold(${county}))
        order by (p.kind = 'city') desc, k.what = 'place' desc, k.meetings_held desc, k.name, k.slug
        limit ${most}`

      const search = Effect.fn("Locations.search")(function* (q: string) {
        const typed = q.trim()
        if (typed === "") return { query: q, results: (yield* top).map((row) => result(row, "top")) }
        const [recordZip] = yield* db<{ zip: string }>`
          select ${typed.slice(0, 5)} as zip from place where ${typed.slice(0, 5)} = any(zips) and ${/^\d{5}(-\d{4})?$/.test(typed)} limit 1`
        const read = Option.getOrUndefined(yield* geocoder.locate(typed))
        const lastZip = /\b(\d{5})(-\d{4})?\s*$/.exec(typed)?.[1]
        const zip = recordZip?.zip ?? read?.zip ?? lastZip
        const byPlace =
          zip === undefined && (read === undefined || read.match === "name")
            ? []
            : yield* around(zip ?? "", read?.city ?? "", read?.county ?? "", read?.state ?? "")
        const match = /^\d{5}(-\d{4})?$/.test(typed) ? "zip" : "address"
        const byName = yield* named(typed)
        const seen = new Set(byPlace.map((row) => `${row.what} ${row.slug}`))
        return {
          query: q,
          results: [
            ...byPlace.map((row) => result(row, match)),
            ...byName.filter((row) => !seen.has(`${row.what} ${row.slug}`)).map((row) => result(row, "name"))
          ].slice(0, most)
        }
      }, Effect.orDie)

      const placeNamed = Effect.fnUntraced(function* (kind: PlaceKind, name: string, state: string) {
        const [row] = yield* db<PlaceRow>`
          select slug, name, kind, state, county from place
          where kind = ${kind} and state = ${state} and fold(name) = fold(${name}) order by slug limit 1`
        return row
      })

      const match = Effect.fn("Locations.match")(function* (city: string, region: string) {
        const found = Option.getOrUndefined(yield* geocoder.cityOf(city, region))
        const state = found?.state ?? region.trim().toUpperCase().slice(-2)
        const place = yield* placeNamed("city", found?.city ?? city.trim(), state)
        return place === undefined ? { matched: false } : { matched: true, place: placeRef(place) }
      }, Effect.orDie)

      const suggest = Effect.fn("Locations.suggest")(function* (q: string, session: string = randomUUID()) {
        const suggestions = q.trim() === "" ? [] : yield* geocoder.suggest(q, session)
        return { session, suggestions: suggestions.map(({ place_id, label, kind }) => ({ place_id, label, kind })) }
      }, Effect.orDie)

      const bodiesServing = (slugs: ReadonlyArray<string>) => db<BodyRow & { first_place: string }>`
        select b.slug, b.segment, b.name, b.kind,
          (select p.slug from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id
            order by bp.position limit 1) as first_place
        from body b where b.place_slugs && ${slugs}::text[] order by b.name, b.slug`

      const resolve = Effect.fn("Locations.resolve")(function* (placeId: string, session: string = randomUUID()) {
        const found = Option.getOrUndefined(yield* Effect.orDie(geocoder.resolve(placeId, session)))
        if (found === undefined) return yield* locationNotFound(placeId)
        const place = found.city === undefined ? undefined : yield* placeNamed("city", found.city, found.state)
        const county = found.county === undefined ? undefined : yield* placeNamed("county", found.county, found.state)
        const here = [place, county].filter((one) => one !== undefined)
        const bodies = yield* bodiesServing(here.map(({ slug }) => slug))
        return {
          place_id: found.place_id,
          label: found.label,
          latitude: found.latitude,
          longitude: found.longitude,
          ...(place === undefined ? {} : { place: placeRef(place) }),
          ...(county === undefined ? {} : { county: placeRef(county) }),
          bodies: bodies.map((row) => bodyRef(row, row.first_place))
        }
      }, dbDies)

      return { search, match, suggest, resolve }
    })
  )
}

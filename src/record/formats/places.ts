import { Effect, Result, Stream } from "effect"
import type { BundlePlace } from "../../../schema/bundle.ts"
import { slugify } from "../slug.ts"
import { encodingNote } from "./encoding.ts"
import { linesOf, plainName } from "./files.ts"
import type { Format, Items, SourceFile } from "./format.ts"
import { found, rejected, warning } from "./item.ts"
import { agencyOf } from "./row.ts"
import { tidy } from "./text.ts"
import { isState } from "./zones.ts"

/** The lists of places and bodies that can be read, by the name of their file. */
const lists = {
  census: /^us_census_places\.csv$/i,
  divisions: /^state-[a-z]{2}-local_gov\.csv$/i,
  municipalities: /^municipalities\.ya?ml$/i,
  bodies: /^civicplus_sites\.csv$/i
} as const

/** The fields of one line of CSV (RFC 4180); in these lists no field spans lines. */
const csvFields = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replace(/""/g, '"')
  )

const titleCase = (id: string): string =>
  id
    .replace(/[_~]+/g, " ")
    .trim()
    .replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** Suffixes that the census adds to a name, in lower case, for the type of place. */
const censusSort =
  / (?:city and borough|city|town|village|borough|municipality|(?:metropolitan|unified|consolidated|metro) government)(?: \(balance\))?$/

const division =
  /^ocd-(?:division|jurisdiction)\/country:us\/state:([a-z]{2})(?:\/(?:county|parish|borough|census_area):([^/]+))?(?:\/place:([^/]+))?(?:\/government)?$/

/**
 * The place of an Open Civic Data division. Its slug includes the state, and the county where the division is in one,
 * so that the lists of many states never overwrite a place that meetings name.
 */
const placeOfDivision = (id: string, name: string, counties: Map<string, string>): BundlePlace | undefined => {
  const [, letters, county, city] = division.exec(id) ?? []
  const state = letters?.toUpperCase()
  if (state === undefined || !isState(state) || (county === undefined && city === undefined)) return undefined
  if (city === undefined) {
    counties.set(`${state} ${county}`, name)
    return { type: "place", slug: slugify(`${name} ${state}`), name, kind: "county", state, county: name }
  }
  const within =
    county === undefined ? undefined : (counties.get(`${state} ${county}`) ?? `${titleCase(county)} County`)
  return {
    type: "place",
    slug: slugify([titleCase(city), within ?? "", state].join(" ")),
    name: tidy(name.replace(censusSort, "").replace(/ township$/, " Township")) || titleCase(city),
    kind: "city",
    state,
    ...(within === undefined ? {} : { county: within })
  }
}

/** A line of one of the lists: places and bodies, or nothing with the reason. */
type Reading =
  | { readonly items: ReadonlyArray<BundlePlace | ReturnType<typeof agencyOf>> }
  | { readonly reason: string }

const districts = "are districts, which are not places of their own"

const readDivisions = () => {
  const counties = new Map<string, string>()
  return (line: string): Reading => {
    const [id = "", name = ""] = csvFields(line)
    if (id === "id") return { items: [] }
    const place = placeOfDivision(id, name, counties)
    return place === undefined
      ? { reason: /district|ward/.test(id) ? districts : "are not of a city or county" }
      : { items: [place] }
  }
}

/** The members of a list written as in Python: `['City Council', "Mayor's Board"]`. */
const pythonList = (list: string): ReadonlyArray<string> =>
  [...list.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)]
    .map(([, single, double]) => tidy((single ?? double ?? "").replace(/\\(.)/g, "$1")))
    .filter((name) => slugify(name) !== "")

const readBodies = () => {
  const seen = new Set<string>()
  return (line: string): Reading => {
    const [, , , , , name = "", state = "", country = "", level = "", bodies = ""] = csvFields(line)
    if (country === "country") return { items: [] }
    const isCounty = /^county$/i.test(level)
    if (country !== "USA" || !isState(state)) return { reason: "are outside the United States" }
    if (!isCounty && !/^municipality$/i.test(level))
      return { reason: "are of agencies that are neither a city's nor a county's" }
    if (isCounty && !/ (county|parish)$/i.test(name)) return { reason: "are of county offices, not of counties" }
    const place: BundlePlace = {
      type: "place",
      slug: slugify(`${name} ${state}`),
      name,
      kind: isCounty ? "county" : "city",
      state,
      ...(isCounty ? { county: name } : {})
    }
    const agencies = pythonList(bodies)
      .map((body) => agencyOf({ name: body }, place))
      .filter(({ slug }) => !seen.has(slug) && seen.add(slug))
    return { items: [place, ...agencies] }
  }
}

const readMunicipalities = () => {
  let name: string | undefined
  return (line: string): Reading => {
    const [, key, value] = /^\s*-?\s*(name|id):\s*['"]?(.*?)['"]?\s*$/.exec(line) ?? []
    if (key === "name") name = value
    if (key !== "id" || name === undefined || value === undefined) return { items: [] }
    const place = placeOfDivision(value, name, new Map())
    return place === undefined ? { reason: "are not of a city or county" } : { items: [place] }
  }
}

const readerOf = (name: string) =>
  lists.bodies.test(name) ? readBodies() : lists.municipalities.test(name) ? readMunicipalities() : readDivisions()

const readPlaces = ({ path, file }: SourceFile): Items =>
  Stream.suspend(() => {
    const read = readerOf(plainName(file.split("/").at(-1) ?? file))
    const left = new Map<string, { count: number; readonly line: number }>()
    const items = linesOf(path).pipe(
      Stream.map(({ line, text, encoding }) => {
        const origin = { file, line }
        if (Result.isFailure(text)) return [rejected(origin, "", text.failure)]
        const reading = read(text.success)
        const notes = encodingNote(origin, encoding)
        if ("items" in reading) return [...notes, ...reading.items.map((entity) => found(origin, entity))]
        const group = left.get(reading.reason) ?? { count: 0, line }
        group.count++
        left.set(reading.reason, group)
        return notes
      }),
      Stream.flattenIterable
    )
    const notices = Stream.fromIterableEffect(
      Effect.sync(() =>
        [...left].map(([reason, { count, line }]) =>
          warning({ file, line }, "", `${count} rows from here on ${reason}`)
        )
      )
    )
    return Stream.concat(items, notices)
  })

/**
 * A list of places (Open Civic Data divisions, the census's places, OpenStates' municipalities), or of bodies by
 * jurisdiction. It gives places and bodies and no meetings; rows that are neither are counted by reason.
 */
export const places: Format = {
  name: "places",
  about: "places, with their coordinates, and bodies",
  isNamed: (name) => Object.values(lists).some((list) => list.test(name)),
  read: ([file]) => readPlaces(file)
}

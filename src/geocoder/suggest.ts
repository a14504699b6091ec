import { bySize, type Gazetteer, type Place, type Zip } from "./gazetteer.ts"
import { compactName, normalizeName } from "./names.ts"
import { allowedEdits, longestText, readText, stateAtEnd, variants, zipIn } from "./read-text.ts"
import { stateCode, statesStarting } from "./states.ts"

/** A name that may be meant, and the states it may be in; undefined if the text names no state. */
interface Wanted {
  readonly name: string
  readonly states: ReadonlySet<string> | undefined
  /** Matches whole names only, not beginnings. */
  readonly whole: boolean
}

/** From best to worst: exactly the name; a county's without "County"; begins with it; resembles it. */
type Rank = 0 | 1 | 2 | 3

interface Candidate {
  readonly place: Place
  readonly rank: Rank
  readonly edits: number
}

/**
 * Everything that a text may mean while it is being typed: "springfield il", "Springfield, Ill", "port or" (Port
 * Orange, or Portland, Oregon).
 */
const wanted = (text: string): ReadonlyArray<Wanted> => {
  const comma = text.lastIndexOf(",")
  if (comma >= 0) {
    const typed = text.slice(comma + 1)
    const full = stateCode(typed)
    const states = full === undefined ? statesStarting(typed) : new Set([full])
    return [{ name: text.slice(0, comma), states: normalizeName(typed) === "" ? undefined : states, whole: false }]
  }
  const words = normalizeName(text).split(" ")
  const last = words.at(-1) ?? ""
  const ending = stateAtEnd(words)
  const without = (count: number, states: ReadonlySet<string>, whole: boolean): ReadonlyArray<Wanted> =>
    count < words.length ? [{ name: words.slice(0, -count).join(" "), states, whole }] : []
  return [
    { name: text, states: undefined, whole: false },
    ...(ending === undefined ? [] : without(ending.words, new Set([ending.state]), false)),
    // "St. Lou" is the beginning of St. Louis, not every saint in Louisiana.
    ...(ending === undefined && last.length > 2 ? without(1, statesStarting(last), true) : [])
  ]
}

const beginning = (gazetteer: Gazetteer, { name, states, whole }: Wanted): ReadonlyArray<Candidate> => {
  for (const variant of variants(normalizeName(name))) {
    const key = variant.replaceAll(" ", "")
    if (key === "") continue
    const exact = gazetteer.names
      .exact(key)
      .map((place): Candidate => ({ place, rank: compactName(place.name) === key ? 0 : 1, edits: 0 }))
    const longer = whole ? [] : gazetteer.names.startingWith(key)
    const found = [...exact, ...longer.map((place): Candidate => ({ place, rank: 2, edits: 0 }))]
    const there = found.filter(({ place }) => states === undefined || states.has(place.state))
    if (there.length > 0) return there
  }
  return []
}

const misspelled = (gazetteer: Gazetteer, { name, states }: Wanted): ReadonlyArray<Candidate> => {
  const key = compactName(name)
  return gazetteer.names
    .like(key, allowedEdits(key.length))
    .filter(({ value }) => states === undefined || states.has(value.state))
    .map(({ value, edits, whole }) => ({ place: value, rank: 3 as const, edits: edits + (whole ? 0 : 0.5) }))
}

/** Among equally good answers a city comes before a county, which always has more ZIP codes. */
const best = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> =>
  [...candidates].sort(
    (a, b) =>
      a.rank - b.rank ||
      a.edits - b.edits ||
      Number(a.place.kind === "county") - Number(b.place.kind === "county") ||
      bySize(a.place, b.place)
  )

const places = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Place> => candidates.map(({ place }) => place)

/** With fewer good answers than this, the name may be misspelled. */
const few = 3

/**
 * What a text may mean while it is being typed, best first and at most `limit`: the place of an address; the name
 * itself, then a state's cities, then names that begin with it, each by number of ZIP codes and then by state;
 * misspelled names if all that finds little.
 */
export const suggestPlaces = (gazetteer: Gazetteer, input: string, limit: number): ReadonlyArray<Place | Zip> => {
  const text = input.slice(0, longestText).trim()
  const digits = /^(\d{1,5})(?:-\d{0,4})?$/.exec(text)?.[1]
  if (digits !== undefined) return gazetteer.zipsStarting(digits, limit)
  if (normalizeName(text) === "") return []

  const meant = wanted(text)
  const found = best(meant.flatMap((each) => beginning(gazetteer, each)))
  const exact = found.filter(({ rank }) => rank < 2)
  // "IL" is the state; "il" may still become a name.
  const state = /^[a-z]{2}$/.test(text) ? undefined : stateCode(text)
  const cities = state === undefined ? [] : gazetteer.citiesOf(state).slice(0, limit)
  const sure = addressed(gazetteer, text)
  const slipped = found.length < few && [...exact, ...cities, ...sure].length === 0
  const near = slipped ? best(meant.flatMap((each) => misspelled(gazetteer, each))) : []
  return [...new Set([...sure, ...places(exact), ...cities, ...places(found), ...places(near)])].slice(0, limit)
}

/** The ZIP code, city and county that an address names. */
const addressed = (gazetteer: Gazetteer, text: string): ReadonlyArray<Place | Zip> => {
  const reading = /\d|,/.test(text) ? readText(gazetteer, text) : undefined
  if (reading?.state === undefined || reading.match === "name") return []
  const city = reading.city === undefined ? undefined : gazetteer.city(reading.state, reading.city)
  const county = reading.county === undefined ? undefined : gazetteer.county(reading.state, reading.county)
  return [reading.zip === undefined ? undefined : zipIn(gazetteer, text)?.zip, city, county].filter(
    (place) => place !== undefined
  )
}

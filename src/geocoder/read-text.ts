import { bySize, type Gazetteer, type Place, type Zip } from "./gazetteer.ts"
import { compactName, normalizeName, withoutSort } from "./names.ts"
import { stateCode } from "./states.ts"

/** The reading of a line of text: a ZIP code, an address, or the name of a place. */
export interface Reading {
  readonly match: "zip" | "address" | "name"
  readonly state?: string
  readonly city?: string
  readonly county?: string
  readonly zip?: string
}

/** No address is longer; the rest is ignored. */
export const longestText = 200

/** How many typing mistakes a name of this many letters may contain and still be recognized. */
export const allowedEdits = (length: number): number => {
  if (length < 4) return 0
  if (length < 8) return 1
  return length < 11 ? 2 : 3
}

/** A text split at its commas, each part as normalized words; a country at the end is dropped. */
const parts = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const found = text
    .split(/[,;\n]/)
    .map(normalizeName)
    .filter((part) => part !== "")
  const last = found.at(-1) ?? ""
  const kept =
    found.length > 1 && /^(us|usa|united states|united states of america)$/.test(last) ? found.slice(0, -1) : found
  return kept.map((part) => part.split(" "))
}

/**
 * The state at the end of some words, and how many words it has; the longest possible ("west virginia" before
 * "virginia").
 */
export const stateAtEnd = (words: ReadonlyArray<string>): { state: string; words: number } | undefined => {
  for (const count of [3, 2, 1]) {
    const state = count <= words.length ? stateCode(words.slice(-count).join(" ")) : undefined
    if (state !== undefined) return { state, words: count }
  }
  return undefined
}

/** Possible meanings of a name: as written, without "City of", with "Co." for "County". */
export const variants = (name: string): ReadonlyArray<string> => {
  const bare = withoutSort(name)
  return [name, ...(bare === undefined ? [] : [bare]), ...(/. co$/.test(name) ? [name.replace(/co$/, "county")] : [])]
}

const named = (gazetteer: Gazetteer, name: string, state: string | undefined): ReadonlyArray<Place> => {
  for (const variant of variants(name)) {
    const found = gazetteer.names
      .exact(variant.replaceAll(" ", ""))
      .filter((place) => state === undefined || place.state === state)
    const cities = found.filter(({ kind }) => kind === "city")
    if (found.length > 0) return cities.length > 0 ? cities : found
  }
  return []
}

/**
 * The places whose name is nearest to a misspelled one. With two mistakes the first letter must be right: "planning" is
 * not "Manning".
 */
const nearest = (gazetteer: Gazetteer, name: string, state: string | undefined): ReadonlyArray<Place> => {
  const key = name.replaceAll(" ", "")
  const [best, ...others] = gazetteer.names
    .like(key, allowedEdits(key.length))
    .filter(({ value, whole }) => whole && (state === undefined || value.state === state))
    .filter(({ value, edits }) => edits < 2 || compactName(value.name).startsWith(key.charAt(0)))
    .sort((a, b) => a.edits - b.edits || bySize(a.value, b.value))
  if (best === undefined) return []
  const same = others.filter(({ value }) => value.kind === best.value.kind && value.name === best.value.name)
  return [best.value, ...same.map(({ value }) => value)]
}

/** A name that several states share is read without a state, because the text does not say which one. */
const reading = (match: Reading["match"], places: ReadonlyArray<Place>): Reading | undefined => {
  const [first] = places
  if (first === undefined) return undefined
  const name = first.kind === "city" ? { city: first.name } : { county: first.name }
  if (places.some(({ state }) => state !== first.state)) return { match, ...name }
  const county = first.county === undefined ? {} : { county: first.county.name }
  return { match, state: first.state, ...county, ...name }
}

const streets =
  /^(street|st|saint|avenue|ave|av|road|rd|drive|dr|lane|ln|court|ct|boulevard|blvd|place|pl|way|circle|cir|highway|hwy|parkway|pkwy|terrace|ter|trail|trl|square|sq|plaza|route|pike|box|broadway|suite|ste|apt|floor|unit|room)$/

/** The longest place name at the end of some words, and the words before it. */
const nameAtEnd = (gazetteer: Gazetteer, words: ReadonlyArray<string>, state: string | undefined) => {
  // The longest name of a place has six words, and "the city of" three.
  for (let from = Math.max(0, words.length - 9); from < words.length; from++) {
    const places = named(gazetteer, words.slice(from).join(" "), state)
    if (places.length > 0) return { places, before: words.slice(0, from) }
  }
  return undefined
}

/** Whether words are a state, a place in it, or both, and nothing else. */
const placeOnly = (gazetteer: Gazetteer, words: ReadonlyArray<string>, state: string): boolean => {
  const ending = stateAtEnd(words)
  const name = ending?.state === state ? words.slice(0, -ending.words) : words
  return name.length === 0 || named(gazetteer, name.join(" "), state).length > 0
}

/** The ZIP code of a text and the rest of the text. Five digits before a street name are a house number. */
export const zipIn = (gazetteer: Gazetteer, text: string): { zip: Zip; rest: string } | undefined => {
  for (const found of [...text.matchAll(/(?<![\p{L}\p{N}])(\d{5})(?:-\d{4})?(?![\p{L}\p{N}])/gu)].reverse()) {
    const zip = gazetteer.zip(found[1] ?? "")
    const before = text.slice(0, found.index)
    const after = text.slice(found.index + found[0].length)
    if (zip === undefined) continue
    if (normalizeName(before) !== "" || placeOnly(gazetteer, parts(after).flat(), zip.city.state)) {
      return { zip, rest: `${before}, ${after}` }
    }
  }
  return undefined
}

/** A city with this many ZIP codes is what its name means, even if a state shares it: New York and Washington. */
const greatCity = 50

const readZip = (gazetteer: Gazetteer, { zip, rest }: { zip: Zip; rest: string }): Reading => {
  const words = parts(rest).flat()
  const state = stateAtEnd(words)
  const before = state === undefined ? words : words.slice(0, -state.words)
  const city = nameAtEnd(gazetteer, before, zip.city.state)
  const typed = city?.places.find(({ kind }) => kind === "city")
  const county = zip.county === undefined ? {} : { county: zip.county.name }
  return {
    match: (city?.before ?? before).length > 0 ? "address" : "zip",
    zip: zip.zip,
    // The postal service files suburbs under the city beside them; the writer knows better.
    city: typed?.name ?? zip.city.name,
    ...county,
    state: zip.city.state
  }
}

/**
 * Reads a line of text as a place: a ZIP code, an address ("800 E Monroe St, Springfield, IL 62701"), a city, county
 * or state. A misspelled name is read as the nearest one, if the text is nothing but a name. Undefined if it names no
 * place.
 */
export const readText = (gazetteer: Gazetteer, input: string): Reading | undefined => {
  const text = input.slice(0, longestText)
  const zip = zipIn(gazetteer, text)
  if (zip !== undefined) return readZip(gazetteer, zip)

  // The gazetteer is a snapshot: a ZIP code newer than it does not spoil the rest.
  const segments = parts(text.replace(/(?<=[\p{L},.]\s*)\d{5}(-\d{4})?\s*$/u, ""))
  const words = segments.flat()
  const last = segments.at(-1) ?? []
  const alone = segments.length === 1
  const whole = alone ? named(gazetteer, words.join(" "), undefined) : []
  const asState = stateCode(words.join(" "))
  if (asState !== undefined && !whole.some(({ zips }) => zips.length >= greatCity))
    return { match: "name", state: asState }
  if (whole.length > 0) return reading("name", whole)

  const ending = stateAtEnd(last)
  if (ending !== undefined) {
    const before = words.slice(0, -ending.words)
    const found = nameAtEnd(gazetteer, before, ending.state)
    if (found !== undefined) return reading(found.before.length > 0 ? "address" : "name", found.places)
    const name = (ending.words === last.length ? segments.at(-2) : last.slice(0, -ending.words)) ?? []
    const near = nearest(gazetteer, name.join(" "), ending.state)
    if (near.length > 0) return reading(name.length < before.length ? "address" : "name", near)
  }
  if (!alone) {
    const found = named(gazetteer, last.join(" "), undefined)
    if (found.length > 0) return reading("address", found)
  }
  const found = nameAtEnd(gazetteer, last, undefined)
  const street = found?.before.at(-1) ?? ""
  if (found !== undefined && /^\d/.test(words[0] ?? "") && streets.test(street)) return reading("address", found.places)
  return alone && !/\d/.test(text) ? reading("name", nearest(gazetteer, words.join(" "), undefined)) : undefined
}

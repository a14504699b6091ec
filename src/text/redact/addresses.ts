import type { Address } from "./address.ts"
import { boxAt, phraseAt } from "./boxes.ts"
import { joiningWords } from "./common-words.ts"
import { buildingAt, isPlaceName, pastComplex, pastNames } from "./complexes.ts"
import { type Found, houseAt, past } from "./house-numbers.ts"
import { directions, leadingTypes, plainNames, weakStreetTypes } from "./street-words.ts"
import { isName, isType, ordinalAt, type Street, streetAt } from "./streets.ts"
import { type TokenSpan, type Tokens, wordAt, wordsIn } from "./tokens.ts"
import { apartAt, berthAt, codeAt, levelAt, milesBefore, unitAt } from "./units.ts"

/** A ZIP code of five digits, written or spoken, with any word that introduces it. */
export const zipAt = (tokens: Tokens, from: number): Found | undefined => {
  let at = from
  if (tokens[at]?.word === "zip") at++
  if (at > from && tokens[at]?.word === "code") at++
  if (at > from && tokens[at]?.word === "is") at++
  const code = houseAt(tokens, at)
  return code !== undefined && code.house.length === 5 ? { end: code.end } : undefined
}

/** The rest of an address after its street: a direction, a unit, a ZIP code with its city. */
const tailAt = (tokens: Tokens, from: number): number => {
  let end = from
  // `2540 Cascade Road, Southwest`
  const isApart = tokens[end - 1]?.breaks === "clause" && /^(?:north|south)?(?:east|west)$/u.test(wordAt(tokens, end))
  if (
    (tokens[end - 1]?.breaks === "" || (isApart && tokens[end]?.breaks !== "")) &&
    directions.has(wordAt(tokens, end)) &&
    (tokens[end]?.breaks !== "" || !/^(?:of|on|from|to|at|side|end|bound|bank)$/u.test(wordAt(tokens, end + 1)))
  ) {
    end++
  }
  end =
    unitAt(tokens, end)?.end ??
    boxAt(tokens, end)?.end ??
    levelAt(tokens, end) ??
    berthAt(tokens, end) ??
    apartAt(tokens, end) ??
    end
  for (let city = tokens[end]?.word === "in" ? end + 1 : end; city <= end + 5; city++) {
    const zip = zipAt(tokens, city)
    if (zip !== undefined) return zip.end
    if (!isName(tokens[city]) && tokens[city]?.word !== "zip") break
  }
  return end
}

/** `Main` in `Fifth and Main` */
const plainAt = (tokens: Tokens, from: number): Found | undefined =>
  plainNames.has(wordAt(tokens, from)) ? { end: from + 1 } : undefined

const cornerWords = ["the", "corner", "of"]

/** `Fourth and Vine`, `the corner of Oak and Third`. */
const cornerAt = (tokens: Tokens, from: number): Address | undefined => {
  const said = cornerWords.every((word, at) => tokens[from + at]?.word === word)
  const one = streetAt(tokens, said ? from + 3 : from, false)
  if (one === undefined || tokens[one.end]?.word !== "and" || tokens[one.end - 1]?.breaks === "sentence")
    return undefined
  const other = streetAt(tokens, one.end + 1, false) ?? plainAt(tokens, one.end + 1)
  return other === undefined ? undefined : { end: other.end, form: "corner", isSaid: said }
}

const corrections = [
  ["sorry"],
  ["im", "sorry"],
  ["excuse", "me"],
  ["pardon", "me"],
  ["i", "mean"],
  ["no"],
  ["correction"],
  ["rather"],
  ["wait"],
  ["thats"],
  ["again"]
]

/** A number that corrects the one just said: `2214, sorry, 2241`. */
const correctedAt = (tokens: Tokens, from: number): (Found & { readonly house: string }) | undefined => {
  let at = phraseAt(tokens, from, corrections)
  if (at === undefined) return undefined
  at = phraseAt(tokens, at, corrections) ?? at
  at = phraseAt(tokens, at, [["make", "that"], ["thats"], ["its"], ["it", "is"]]) ?? at
  return houseAt(tokens, at)
}

/** The letters of a name that is spelled out: `S-C-H-A-A-D`, and the street type if it comes only after them. */
export const spelledAt = (tokens: Tokens, from: number): number => {
  let at = phraseAt(tokens, from, [["thats", "spelled"], ["thats"], ["spelled"]]) ?? from
  const first = at
  while (/^\p{L}$/u.test(tokens[at]?.word ?? "")) at++
  if (at - first < 3) return from
  return isType(tokens[at], true) ? at + 1 : at
}

/** Past `de la` before a Spanish street: `214 de la Calle Ocho`. */
const beyondArticles = (tokens: Tokens, from: number): number => {
  let at = from
  while (/^(?:de|del|la|el)$/u.test(tokens[at]?.word ?? "") && at - from < 2) at++
  return leadingTypes.has(tokens[at]?.word ?? "") ? at : from
}

/** `apartment 7 of 200 West Harbor`; the unit alone if no house follows it. */
const fromUnit = (tokens: Tokens, unit: number): Address => {
  const joint = wordAt(tokens, unit)
  const isJoined = ["at", "of", "in", "on"].includes(joint)
  const named = pastNames(tokens, unit)
  const complex = pastComplex(tokens, unit + 1)
  for (const at of isJoined ? [unit + 1, complex] : [unit, named]) {
    const rest = houseAddressAt(tokens, at)
    if (rest?.house !== undefined) return rest
  }
  // `lot 17 at Shady Pines`
  const isIn = /^(?:at|in|of)$/u.test(joint) && tokens.slice(unit + 1, complex).some(isPlaceName)
  return { end: isIn && !isType(tokens[complex], false) ? complex : named, form: "unit" }
}

/** `1400 block of Rowan`, which says a street as closely as one can without a house. */
const blockAt = (tokens: Tokens, from: number): Address | undefined => {
  if (wordAt(tokens, from) !== "block") return undefined
  const street = streetAt(tokens, /^(?:of|on)$/u.test(wordAt(tokens, from + 1)) ? from + 2 : from + 1, true)
  return street === undefined ? undefined : { end: tailAt(tokens, street.end), street: street.street, form: "typed" }
}

/** Past what may stand between a house number and its street: the `A` of `2214 A Maple`, `and 2216`. */
const besideAt = (tokens: Tokens, at: number): number | undefined => {
  const word = wordAt(tokens, at)
  if (/^(?:[abcdfgh]|rear)$/u.test(word)) return streetAt(tokens, at + 1, true) === undefined ? undefined : at + 1
  return /^(?:and|or|through)$/u.test(word) && tokens[at - 1]?.breaks === "" ? houseAt(tokens, at + 1)?.end : undefined
}

/** Past what tells of a house on its street: `at 1409 over on Deer Run`. */
const onStreet = (tokens: Tokens, from: number, number: number, house: string): number => {
  const isMile = milesBefore(tokens, from) < from
  if (!isMile && (house.length < 3 || !/^(?:at|is|its|im|number|house)$/u.test(wordAt(tokens, from - 1)))) return number
  let at = number
  while (at < number + 2 && /^(?:over|there|up|down|out|right|here|back)$/u.test(wordAt(tokens, at))) at++
  if (!/^(?:on|off|thats)$/u.test(wordAt(tokens, at)) || tokens[at]?.breaks !== "") return number
  return wordAt(tokens, at) === "thats" && wordAt(tokens, at + 1) === "on" ? at + 2 : at + 1
}

const lives = /(?:^| )(?:live|lives|lived|living|reside|resides|resided|residing) (?:\w+ )?at$/u

/** What is said where a street must be, whatever its words are: `I live at 1409 doctor martin luther king`. */
const saidStreetAt = (tokens: Tokens, from: number, number: number): Street | undefined => {
  if (!lives.test(wordsIn(tokens, from - 3, from)) || tokens[number - 1]?.breaks !== "") return undefined
  let end = number
  while (end < number + 4 && (end === number || tokens[end - 1]?.breaks === "")) {
    const word = wordAt(tokens, end)
    if (!/^\p{L}+$/u.test(word) || joiningWords.has(word) || tokens[end]?.amount === true) break
    end++
  }
  return end > number ? { end, street: wordAt(tokens, number), form: "bare" } : undefined
}

/** The address that begins with a house number. */
const houseAddressAt = (tokens: Tokens, from: number, isUnit = true): Address | undefined => {
  const first = houseAt(tokens, from)
  if (first === undefined || /^0+$/u.test(first.house)) return undefined
  const block = blockAt(tokens, first.end)
  if (block !== undefined) return block
  // `4A at 200 West Harbor`
  if (isUnit && /^\d+[a-z]$/u.test(wordAt(tokens, from)) && /^(?:at|of)$/u.test(wordAt(tokens, first.end))) {
    const rest = houseAddressAt(tokens, first.end + 1, false)
    if (rest !== undefined) return rest
  }
  const corrected = correctedAt(tokens, first.end)
  const house = corrected ?? first
  const between = unitAt(tokens, house.end)?.end ?? besideAt(tokens, house.end) ?? house.end
  const near = past(tokens, between)
  const street =
    streetAt(tokens, beyondArticles(tokens, onStreet(tokens, from, near, house.house)), true) ??
    saidStreetAt(tokens, from, near)
  if (street === undefined) return undefined
  // `Milton, Tennessee 37939. First, I`
  const state = tokens[from - 1]
  const isZip = house.house.length === 5 && !/(?:^| )(?:dash|hyphen)(?: |$)/u.test(wordsIn(tokens, from, house.end))
  if (isZip && street.form !== "typed" && state?.name === true && state.breaks === "") return undefined
  const { end, street: name, form } = street
  // `Item number 43. Christopher Demanche`, `Nineteen, National Association`
  const apart = tokens[house.end - 1]?.breaks
  if (form !== "typed" && (apart === "sentence" || (apart === "clause" && house.house.length <= 2))) return undefined
  // `11-J`
  if (form === "bare" && name.length === 1) return undefined
  const isWeak = weakStreetTypes.has(wordAt(tokens, end - 1))
  return {
    end: tailAt(tokens, end),
    house: house.house,
    street: name,
    form: form === "typed" ? "typed" : "bare",
    isWeak,
    isCorrected: corrected !== undefined
  }
}

/** `Wesley Arms 710`, `Cloister Arms, 6-E`, `2-K, Robert Toombs Apartments` */
const inBuilding = (tokens: Tokens, from: number): Address | undefined => {
  const code = codeAt(tokens, from)
  if (code !== undefined && tokens[code - 1]?.breaks === "clause") {
    const end = buildingAt(tokens, code)
    return end === undefined ? undefined : { end, form: "unit" }
  }
  const building = buildingAt(tokens, from)
  if (building === undefined || tokens[building - 1]?.breaks === "sentence") return undefined
  const end = codeAt(tokens, building) ?? houseAt(tokens, building)?.end
  return end === undefined || streetAt(tokens, end, true)?.form === "typed" ? undefined : { end, form: "unit" }
}

/** The house after its street: `West 14th Avenue 812`, `Hog Pen Road, it's 2140`, `Route 27, house 16`. */
const houseBehind = (tokens: Tokens, from: number): (Found & { readonly house: string }) | undefined => {
  if (tokens[from - 1]?.breaks === "sentence") return undefined
  const joint = wordAt(tokens, from)
  const isCalled = /^(?:number|house)$/u.test(joint)
  const at = isCalled || /^(?:its|at)$/u.test(joint) ? from + 1 : from
  if (at === from && tokens[from - 1]?.breaks !== "") return undefined
  const house = wordAt(tokens, at)
  const isLong = at === from ? /^\d{2,5}$/u : isCalled ? /^\d{1,5}$/u : /^\d{3,5}$/u
  return isLong.test(house) && tokens[at]?.breaks !== "" ? { end: at + 1, house } : undefined
}

/** The address that begins at a token, if one does. */
export const addressAt = (tokens: Tokens, from: number): Address | undefined => {
  const corner = cornerAt(tokens, from)
  if (corner !== undefined) return corner
  const box = boxAt(tokens, from)
  if (box !== undefined) return box
  if (/^(?:number|el)$/u.test(wordAt(tokens, from))) {
    const numbered = houseAddressAt(tokens, from + 1)
    if (numbered?.form === "typed" || (numbered?.house !== undefined && /^(?:at|is)$/u.test(wordAt(tokens, from - 1))))
      return numbered
  }
  const level = levelAt(tokens, from)
  const within = level !== undefined && /^(?:at|of|in)$/u.test(wordAt(tokens, level)) ? level + 1 : level
  const inside = within === undefined ? undefined : houseAddressAt(tokens, within)
  if (inside !== undefined) return inside
  const unit = unitAt(tokens, from)
  if (unit !== undefined)
    return { isWeak: /^(?:number|no)$/u.test(wordAt(tokens, from)), ...fromUnit(tokens, unit.end) }
  const house = houseAddressAt(tokens, from) ?? inBuilding(tokens, from)
  if (house !== undefined) return house
  if (houseAt(tokens, from) !== undefined && ordinalAt(tokens, from) === undefined) return undefined
  const street = streetAt(tokens, from, false)
  if (street === undefined) return undefined
  // `Brierwood, B-R-I-E-R-W-O-O-D, Lane`
  const spelled = spelledAt(tokens, street.end)
  if (spelled > street.end && isType(tokens[spelled - 1], true)) {
    return { end: spelled, street: street.street, form: "typed" }
  }
  const isWeak = weakStreetTypes.has(wordAt(tokens, street.end - 1))
  const behind = street.form === "typed" ? houseBehind(tokens, street.end) : undefined
  if (behind !== undefined) return { ...behind, street: street.street, form: "typed", isWeak }
  return {
    end: tailAt(tokens, street.end),
    street: street.street,
    form: street.form === "typed" ? "typed" : "bare",
    isWeak
  }
}

/** A key that is equal for all spellings of one address: `2214 Maple` and `twenty-two fourteen Maple Street`. */
export const addressKey = ({ house, street }: Address): string | undefined =>
  house === undefined || street === undefined ? undefined : `${house} ${street}`

/** Every address with a key, wherever it begins. */
export const keyedIn = (tokens: Tokens): ReadonlyArray<TokenSpan & { readonly key: string }> =>
  tokens.flatMap((_, from) => {
    const address = addressAt(tokens, from)
    const key = address && addressKey(address)
    return address === undefined || key === undefined ? [] : [{ from, to: address.end, key }]
  })

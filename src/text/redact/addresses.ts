import { type Found, houseAt, past } from "./house-numbers.ts"
import { directions, leadingTypes, plainNames, unitWords, weakStreetTypes } from "./street-words.ts"
import { isName, isType, ordinalAt, streetAt } from "./streets.ts"
import type { Tokens } from "./tokens.ts"

/** An address found in a transcript; `end` is the token after its last one. */
export interface Address {
  readonly end: number
  /** The digits of the house number; absent in a street, a corner or a unit alone. */
  readonly house?: string
  /** The first word of the street's name. */
  readonly street?: string
  /** How strongly the words alone suggest that this is an address. */
  readonly form: "typed" | "bare" | "corner" | "unit" | "box" | "slot"
  /** A corner that is called one. */
  readonly isSaid?: boolean
  /** The speaker corrected the number: `1450, no, 1540 Pomona`. */
  readonly isCorrected?: boolean
  /** A street whose type has other uses, such as `Oak Ridge`, or a mere number. */
  readonly isWeak?: boolean
}

const wordAt = (tokens: Tokens, at: number): string => tokens[at]?.word ?? ""

/** Past a letter that ends a number: the `A` of `77-A`. */
const pastLetter = (tokens: Tokens, at: number): number => {
  const word = wordAt(tokens, at)
  const isLetter = /^[b-hj-z]$/u.test(word) || (word === "a" && tokens[at]?.breaks !== "")
  if (!isLetter) return at
  // `B as in boy`
  return wordAt(tokens, at + 1) === "as" && wordAt(tokens, at + 2) === "in" ? at + 4 : at + 1
}

/** `apartment 3B`, `unit twelve`, `number 7`, `Building C, Apartment 207`, `second floor`. */
const unitAt = (tokens: Tokens, at: number, most = 2): Found | undefined => {
  const floor = ordinalAt(tokens, at)?.end
  if (floor !== undefined && wordAt(tokens, floor) === "floor") return { end: floor + 1 }
  // `house number 22`; a house without a number word is a place, and no unit.
  const isHouse = wordAt(tokens, at) === "house" && /^\d+$|^number$/u.test(wordAt(tokens, at + 1))
  if (!(isHouse || unitWords.has(wordAt(tokens, at)))) return undefined
  const start = wordAt(tokens, at + 1) === "number" ? at + 2 : at + 1
  const number = houseAt(tokens, start)
  const end = pastLetter(tokens, number?.end ?? start)
  if (number === undefined && end === start) return undefined
  return (most > 1 ? unitAt(tokens, end, most - 1) : undefined) ?? { end }
}

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
  if (
    tokens[end - 1]?.breaks === "" &&
    directions.has(wordAt(tokens, end)) &&
    (tokens[end]?.breaks !== "" || !/^(?:of|on|from|to|at|side|end|bound|bank)$/u.test(wordAt(tokens, end + 1)))
  ) {
    end++
  }
  end = unitAt(tokens, end)?.end ?? boxAt(tokens, end)?.end ?? end
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

const complexWords = new Set("the mobile home park trailer court village estates apartments towers manor".split(" "))

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

const boxes = [
  ["po", "box"],
  ["p", "o", "box"],
  ["post", "office", "box"]
]
const ruralRoutes = [["rural", "route"], ["rural", "rt"], ["rr"], ["star", "route"], ["hc"], ["highway", "contract"]]
const routes = [["route"], ["rt"]]

/** Where a phrase from this list that begins at this token ends. */
const phraseAt = (tokens: Tokens, at: number, phrases: ReadonlyArray<ReadonlyArray<string>>): number | undefined => {
  const found = phrases.find((words) => words.every((word, next) => tokens[at + next]?.word === word))
  return found === undefined ? undefined : at + found.length
}

/** `P.O. Box 12`, `Rural Route 3, Box 40`, `route 2 box 114`; `Box 12` alone may be any box. */
const boxAt = (tokens: Tokens, at: number): Address | undefined => {
  const numbered = (from: number): number | undefined => {
    const start = /^(?:is|number)$/u.test(wordAt(tokens, from)) ? from + 1 : from
    const number = houseAt(tokens, wordAt(tokens, start) === "number" ? start + 1 : start)
    return number === undefined ? undefined : pastLetter(tokens, number.end)
  }
  const box = phraseAt(tokens, at, boxes)
  if (box !== undefined) {
    const end = numbered(box)
    // `PO Box 12, Jane Doe.`
    const isFirst = at === 0 || tokens[at - 1]?.breaks === "sentence"
    return end === undefined ? undefined : { end: isFirst ? end : pastNames(tokens, end), form: "box" }
  }
  const rural = phraseAt(tokens, at, ruralRoutes)
  const route = rural ?? phraseAt(tokens, at, routes)
  if (route !== undefined) {
    const number = numbered(route)
    const behind = wordAt(tokens, number ?? route) === "box" ? numbered((number ?? route) + 1) : undefined
    const end = behind ?? (rural === undefined ? undefined : number)
    return end === undefined ? undefined : { end, form: "box" }
  }
  const slot = wordAt(tokens, at) === "box" ? numbered(at + 1) : undefined
  if (slot !== undefined && phraseAt(tokens, slot, routes) !== undefined) {
    const end = houseAt(tokens, phraseAt(tokens, slot, routes) ?? slot)?.end
    if (end !== undefined) return { end, form: "slot" }
  }
  return slot === undefined ? undefined : { end: pastNames(tokens, slot), form: "slot" }
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
  ["wait"]
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

/** The names of a park or a building after a lot: `lot 14, Sunny Acres`. */
const pastNames = (tokens: Tokens, from: number): number => {
  let at = from
  while (at < from + 3 && tokens[at - 1]?.breaks !== "sentence" && isName(tokens[at]) && tokens[at]?.capital) {
    at++
    if (tokens[at - 1]?.breaks !== "") return at
  }
  return tokens[at] === undefined ? at : from
}

/** Past the name of a building or a park: `Shady Oaks mobile home park, 900 Dickens Road`. */
const pastComplex = (tokens: Tokens, from: number): number => {
  let at = from
  while (at < from + 7 && (isName(tokens[at]) || complexWords.has(wordAt(tokens, at)))) {
    at++
    if (tokens[at - 1]?.breaks !== "") break
  }
  return at
}

/** `apartment 7 of 200 West Harbor`; the unit alone if no house follows it. */
const fromUnit = (tokens: Tokens, unit: number): Address => {
  const isJoined = ["at", "of", "in", "on"].includes(wordAt(tokens, unit))
  const named = pastNames(tokens, unit)
  for (const at of isJoined ? [unit + 1, pastComplex(tokens, unit + 1)] : [unit, named]) {
    const rest = houseAddressAt(tokens, at)
    if (rest?.house !== undefined) return rest
  }
  return { end: named, form: "unit" }
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
  const street = streetAt(tokens, beyondArticles(tokens, past(tokens, between)), true)
  if (street === undefined) return undefined
  // `Milton, Tennessee 37939. First, I`
  const state = tokens[from - 1]
  if (house.house.length === 5 && street.form !== "typed" && state?.name === true && state.breaks === "")
    return undefined
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
  const unit = unitAt(tokens, from)
  if (unit !== undefined)
    return { isWeak: /^(?:number|no)$/u.test(wordAt(tokens, from)), ...fromUnit(tokens, unit.end) }
  const house = houseAddressAt(tokens, from)
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
  // `West 14th Avenue 812`
  const behind = tokens[street.end]
  if (street.form === "typed" && tokens[street.end - 1]?.breaks === "" && behind?.breaks !== "") {
    const house = /^\d{2,5}$/u.test(behind?.word ?? "") ? behind?.word : undefined
    if (house !== undefined) return { end: street.end + 1, house, street: street.street, form: "typed", isWeak }
  }
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

import { ordinals, tens } from "../language/number-words.ts"
import { type Found, houseAt, isNumberWord, past, spanishNumbers, type Tokens } from "./house-numbers.ts"
import {
  adjectives,
  commonWords,
  directions,
  joiningWords,
  leadingArticles,
  leadingTypes,
  numberedRoads,
  roadKinds,
  streetTypes,
  unitWords,
  weakStreetTypes
} from "./street-words.ts"
import type { Token } from "./tokens.ts"

/** An address found in a transcript; `end` is the token after its last one. */
export interface Address {
  readonly end: number
  /** The digits of the house number; absent in a street, a corner or a unit alone. */
  readonly house?: string
  /** The first word of the street's name. */
  readonly street?: string
  /** How strongly the words alone suggest that this is an address. */
  readonly form: "typed" | "bare" | "corner" | "unit" | "box"
}

/** The number of a street: `5th`, `fifth`, `forty-second`. */
const ordinalAt = (tokens: Tokens, at: number): Found | undefined => {
  const word = tokens[at]?.word ?? ""
  if (/^\d{1,3}(?:st|nd|rd|th)$/u.test(word) || ordinals.has(word)) return { end: at + 1 }
  const second = ordinals.get(tokens[at + 1]?.word ?? "") ?? 100
  return tens.has(word) && second < 10 ? { end: at + 2 } : undefined
}

const isName = (token: Token | undefined): boolean =>
  token !== undefined && !commonWords.has(token.word) && !token.amount && /^[\p{L}][\p{L}\p{N}]*$/u.test(token.word)

/** A word that counts as a name only between a house number and a street type: `1880 Story Road`. */
const isNameHere = (token: Token | undefined, next: Token | undefined, withHouse: boolean): boolean =>
  isName(token) ||
  (withHouse && adjectives.has(token?.word ?? "") && (isName(next) || adjectives.has(next?.word ?? ""))) ||
  (token !== undefined &&
    (withHouse || token.capital) &&
    !joiningWords.has(token.word) &&
    !token.amount &&
    /^[\p{L}\p{N}]+$/u.test(token.word) &&
    streetTypes.has(next?.word ?? ""))

const isType = (token: Token | undefined, withHouse: boolean): boolean =>
  token !== undefined &&
  (streetTypes.has(token.word) || ((withHouse || token.capital) && weakStreetTypes.has(token.word)))

type Street = Found & { readonly street: string; readonly form: "typed" | "bare" | "ordinal" }

/** `Calle del Sol`, `Avenue of the Pines`; a house number may follow the name in Spanish. */
const leadingAt = (tokens: Tokens, from: number): Street | undefined => {
  if (!leadingTypes.has(tokens[from]?.word ?? "")) return undefined
  let at = from + 1
  while (leadingArticles.has(tokens[at]?.word ?? "") && at - from < 4) at++
  const name = tokens[at]
  if (name === undefined || !(isName(name) || isNumberWord(name.word))) return undefined
  if (tokens[from]?.word === "avenue" && at === from + 1) return undefined
  at++
  const most = at + 2
  while (at < most && isName(tokens[at]) && tokens[at - 1]?.breaks === "") at++
  const number = houseAt(tokens, at)
  const spanish = spanishNumbers.has(tokens[at]?.word ?? "") ? at + 1 : at
  return { end: number?.end ?? spanish, street: name.word, form: "typed" }
}

/** `County Road 14`, `State Route 129`, `Highway J`. */
const numberedAt = (tokens: Tokens, from: number): Street | undefined => {
  const at = roadKinds.has(tokens[from]?.word ?? "") ? from + 1 : from
  const federal = tokens[from]?.word === "us" ? houseAt(tokens, from + 1) : undefined
  if (federal !== undefined) return { end: federal.end, street: federal.house, form: "typed" }
  if (!numberedRoads.has(tokens[at]?.word ?? "")) return undefined
  const number = houseAt(tokens, at + 1)
  const letter = tokens[at + 1]
  const end = number?.end ?? (letter?.word.length === 1 && letter.word !== "i" ? at + 2 : undefined)
  return end === undefined ? undefined : { end, street: number?.house ?? letter?.word ?? "", form: "typed" }
}

/** A street that begins at this token; `withHouse` if a house number precedes it. */
const streetAt = (tokens: Tokens, from: number, withHouse: boolean): Street | undefined => {
  let at = from
  while (directions.has(tokens[at]?.word ?? "") && at - from < 2) at++
  const special = leadingAt(tokens, at) ?? numberedAt(tokens, at)
  if (special !== undefined) return special
  const ordinal = ordinalAt(tokens, at)
  if (ordinal !== undefined) {
    const typed = isType(tokens[ordinal.end], withHouse) && tokens[ordinal.end - 1]?.breaks === ""
    return { end: ordinal.end + (typed ? 1 : 0), street: tokens[at]?.word ?? "", form: typed ? "typed" : "ordinal" }
  }
  // `East Street` and `E Street`: the direction is the name.
  if (at > from && isType(tokens[at], withHouse) && !isType(tokens[at + 1], withHouse)) {
    return { end: at + 1, street: tokens[at - 1]?.word ?? "", form: "typed" }
  }
  const first = tokens[at]
  const article = withHouse && first?.word === "the" && isName(tokens[at + 1]) ? 1 : 0
  const start = at + article
  const name = tokens[start]
  if (name === undefined || !isNameHere(name, tokens[start + 1], withHouse)) return undefined
  const named = (end: number, form: Street["form"]): Street => ({ end, street: name.word, form })
  for (let length = 1; length <= 4; length++) {
    const last = tokens[start + length - 1]
    if (last === undefined || last.breaks !== "") break
    if (isType(tokens[start + length], withHouse)) {
      let end = start + length + 1
      // `Bull Run Valley Drive`: a type may be part of the name, so the last one within reach ends it.
      for (let next = end; next < end + 3 && next - start < 6 && tokens[next - 1]?.breaks === ""; next++) {
        if (isType(tokens[next], withHouse)) end = next + 1
        else if (!isName(tokens[next]) || !tokens[next]?.capital) break
      }
      return named(end, "typed")
    }
    const next = tokens[start + length]
    if (!isNameHere(next, tokens[start + length + 1], withHouse) && !ordinals.has(next?.word ?? "")) break
  }
  let end = start + 1
  while (withHouse && end < start + 3 && tokens[end - 1]?.breaks === "" && isName(tokens[end]) && tokens[end]?.capital)
    end++
  return named(end, "bare")
}

/** `apartment 3B`, `unit twelve`, `number 7`. */
const unitAt = (tokens: Tokens, at: number): Found | undefined => {
  if (!unitWords.has(tokens[at]?.word ?? "")) return undefined
  const number = houseAt(tokens, at + 1)
  const letter = tokens[number?.end ?? at + 1]
  const isLetter = letter !== undefined && /^[b-hj-z]$/u.test(letter.word)
  if (number === undefined && !isLetter) return undefined
  return { end: (number?.end ?? at + 1) + (isLetter ? 1 : 0) }
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
  const direction = tokens[end]
  if (
    tokens[end - 1]?.breaks === "" &&
    direction !== undefined &&
    direction.word.length <= 2 &&
    directions.has(direction.word)
  )
    end++
  end = unitAt(tokens, end)?.end ?? boxAt(tokens, end)?.end ?? end
  for (let city = tokens[end]?.word === "in" ? end + 1 : end; city <= end + 5; city++) {
    const zip = zipAt(tokens, city)
    if (zip !== undefined) return zip.end
    if (!isName(tokens[city]) && tokens[city]?.word !== "zip") break
  }
  return end
}

const cornerWords = ["the", "corner", "of"]

/** `Fourth and Vine`, `the corner of Oak and Third`. */
const cornerAt = (tokens: Tokens, from: number): Address | undefined => {
  const said = cornerWords.every((word, at) => tokens[from + at]?.word === word)
  const one = streetAt(tokens, said ? from + 3 : from, false)
  if (one === undefined || tokens[one.end]?.word !== "and" || tokens[one.end - 1]?.breaks === "sentence")
    return undefined
  const other = streetAt(tokens, one.end + 1, false)
  return other === undefined ? undefined : { end: other.end, form: "corner" }
}

const boxes = [
  ["po", "box"],
  ["p", "o", "box"],
  ["post", "office", "box"]
]
const ruralRoutes = [["rural", "route"], ["rural", "rt"], ["rr"]]

/** Where a phrase from this list that begins at this token ends. */
const phraseAt = (tokens: Tokens, at: number, phrases: ReadonlyArray<ReadonlyArray<string>>): number | undefined => {
  const found = phrases.find((words) => words.every((word, next) => tokens[at + next]?.word === word))
  return found === undefined ? undefined : at + found.length
}

/** `P.O. Box 12`, `Rural Route 3, Box 40`, `route 2 box 114`. */
const boxAt = (tokens: Tokens, at: number): Address | undefined => {
  const box = phraseAt(tokens, at, boxes)
  const route = phraseAt(tokens, at, ruralRoutes)
  const number = houseAt(tokens, box ?? route ?? phraseAt(tokens, at, [["route"], ["rt"]]) ?? tokens.length)
  if (number === undefined) return undefined
  if (box !== undefined) return { end: number.end, form: "box" }
  const behind = tokens[number.end]?.word === "box" ? houseAt(tokens, number.end + 1) : undefined
  return behind === undefined && route === undefined ? undefined : { end: (behind ?? number).end, form: "box" }
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

/** The address that begins at a token, if one does. */
export const addressAt = (tokens: Tokens, from: number): Address | undefined => {
  const corner = cornerAt(tokens, from)
  if (corner !== undefined) return corner
  const box = boxAt(tokens, from)
  if (box !== undefined) return box
  const numbered = tokens[from]?.word === "number" ? addressAt(tokens, from + 1) : undefined
  if (numbered?.house !== undefined && numbered.form === "typed") return numbered
  const unit = unitAt(tokens, from)
  if (unit !== undefined) {
    const at = ["at", "of", "in"].includes(tokens[unit.end]?.word ?? "") ? unit.end + 1 : unit.end
    const rest = addressAt(tokens, at)
    return rest?.house === undefined ? { end: unit.end, form: "unit" } : rest
  }
  const first = houseAt(tokens, from)
  const house = first === undefined ? undefined : (correctedAt(tokens, first.end) ?? first)
  if (house !== undefined) {
    const between = unitAt(tokens, house.end)?.end ?? house.end
    const street = streetAt(tokens, beyondArticles(tokens, past(tokens, between)), true)
    if (street !== undefined) {
      const { end, street: name, form } = street
      return { end: tailAt(tokens, end), house: house.house, street: name, form: form === "typed" ? "typed" : "bare" }
    }
    if (ordinalAt(tokens, from) === undefined) return undefined
  }
  const street = streetAt(tokens, from, false)
  if (street === undefined) return undefined
  // `Brierwood, B-R-I-E-R-W-O-O-D, Lane`
  const spelled = spelledAt(tokens, street.end)
  if (spelled > street.end && isType(tokens[spelled - 1], true)) {
    return { end: spelled, street: street.street, form: "typed" }
  }
  return { end: tailAt(tokens, street.end), street: street.street, form: street.form === "typed" ? "typed" : "bare" }
}

/** A key that is equal for all spellings of one address: `2214 Maple` and `twenty-two fourteen Maple Street`. */
export const addressKey = ({ house, street }: Address): string | undefined =>
  house === undefined || street === undefined ? undefined : `${house} ${street}`

import { type Found, houseAt, isNumberWord } from "./house-numbers.ts"
import { tailUnits, unitWords } from "./street-words.ts"
import { ordinalAt, streetAt } from "./streets.ts"
import { type Tokens, wordAt } from "./tokens.ts"

/** Past a letter that ends a number: the `A` of `77-A`. */
export const pastLetter = (tokens: Tokens, at: number): number => {
  const word = wordAt(tokens, at)
  if (word === "letter" && /^[a-z]$/u.test(wordAt(tokens, at + 1))) return at + 2
  const isLetter = /^[b-hj-z]$/u.test(word) || (word === "a" && tokens[at]?.breaks !== "")
  if (!isLetter) return at
  // `B as in boy`
  return wordAt(tokens, at + 1) === "as" && wordAt(tokens, at + 2) === "in" ? at + 4 : at + 1
}

const sides = new Set("rear back front left right east west north south".split(" "))

/** `apartment 3B`, `unit twelve`, `number 7`, `Building C, Apartment 207`, `second floor`. */
export const unitAt = (tokens: Tokens, at: number, most = 2): Found | undefined => {
  const floor = ordinalAt(tokens, at)?.end
  if (floor !== undefined && /^(?:floor|fl)$/u.test(wordAt(tokens, floor))) {
    return { end: sides.has(wordAt(tokens, floor + 1)) && tokens[floor]?.breaks === "" ? floor + 2 : floor + 1 }
  }
  // `house number 22`; a house without a number word is a place, and no unit.
  const isHouse =
    wordAt(tokens, at) === "house" && tokens[at]?.breaks === "" && /^\d+$|^number$/u.test(wordAt(tokens, at + 1))
  if (!(isHouse || unitWords.has(wordAt(tokens, at)))) return undefined
  const start = wordAt(tokens, at + 1) === "number" ? at + 2 : at + 1
  const number = houseAt(tokens, start)
  // `my apartment, 4 Tioga Street`
  if (tokens[at]?.breaks !== "" && number !== undefined && streetAt(tokens, number.end, true)?.form === "typed")
    return undefined
  const end = codeAt(tokens, start) ?? pastLetter(tokens, number?.end ?? start)
  if (number === undefined && end === start) return undefined
  return (most > 1 ? unitAt(tokens, end, most - 1) : undefined) ?? { end }
}

const levels = new Set(
  "upper lower left right english basement front back garden ground top attic garage carriage coach guest".split(" ")
)
const levelParts = new Set("unit apartment basement side flat floor half level duplex suite house cottage".split(" "))
/** What may be all that is said of a part of a house: `1907 Crescent, upper`. */
const loneLevels = new Set("upper lower basement attic penthouse ph casita".split(" "))

/** `upstairs`, `rear`, `the basement unit`, which tell a home from others of its house. */
export const levelAt = (tokens: Tokens, at: number): number | undefined => {
  let first = at
  while (first < at + 2 && /^(?:in|the)$/u.test(wordAt(tokens, first))) first++
  const isPart = levelParts.has(wordAt(tokens, first + 1)) && tokens[first]?.breaks === ""
  if (/^(?:upstairs|downstairs|rear)$/u.test(wordAt(tokens, first))) return isPart ? first + 2 : first + 1
  if (levels.has(wordAt(tokens, first)) && isPart) return first + 2
  const isApart = tokens[at - 1]?.breaks === "clause" && (tokens[first]?.breaks !== "" || !tokens[first + 1])
  return isApart && loneLevels.has(wordAt(tokens, first)) ? first + 1 : undefined
}

/** `slip 31`, `loft 12`, behind a street. */
export const berthAt = (tokens: Tokens, at: number): number | undefined => {
  if (!tailUnits.has(wordAt(tokens, at)) || tokens[at]?.breaks !== "") return undefined
  const start = wordAt(tokens, at + 1) === "number" ? at + 2 : at + 1
  const number = houseAt(tokens, start)?.end ?? start
  const end = pastLetter(tokens, number)
  return end === start ? undefined : end
}

const letterAndNumber = /^(?:\d{1,4}[a-z]|[a-z]\d{1,4}|ph\d{0,2})$/u

/** Past `4D`, `B-6` or `PH-2`, which tell a home by themselves. */
export const codeAt = (tokens: Tokens, at: number): number | undefined => {
  const [one, two] = [wordAt(tokens, at), wordAt(tokens, at + 1)]
  if (letterAndNumber.test(one) && tokens[at]?.tied !== true) return at + 1
  const isPair =
    (/^(?:[a-z]|ph)$/u.test(one) && /^\d{1,4}[a-z]?$/u.test(two)) || (/^\d{1,4}$/u.test(one) && /^[a-z]$/u.test(two))
  return isPair && tokens[at]?.tied === true ? at + 2 : undefined
}

/** `, #4` and `, 2B`: a unit that nothing names, which is all between two breaks. */
export const apartAt = (tokens: Tokens, at: number): number | undefined => {
  // `seventeen seventy walton avenue three k`
  const isSpoken = tokens[at]?.cased === false && isNumberWord(wordAt(tokens, at)) && tokens[at]?.breaks === ""
  if (isSpoken && /^[b-hj-z]$/u.test(wordAt(tokens, at + 1)) && !/^[a-hj-z]$/u.test(wordAt(tokens, at + 2)))
    return at + 2
  // `6230 Dorchester #3`
  if (tokens[at]?.raw.startsWith("#")) return at + 1
  if (tokens[at - 1]?.breaks !== "clause") return undefined
  const code = codeAt(tokens, at)
  if (code !== undefined) return code
  const isApart = tokens[at] === undefined || tokens[at]?.breaks !== ""
  return isApart && /^\d{1,4}$/u.test(wordAt(tokens, at)) ? at + 1 : undefined
}

/** Where the `mile` of `mile 63 Haines Highway` begins, and of `mile marker 47 on Route 12`. */
export const milesBefore = (tokens: Tokens, at: number): number => {
  const before = wordAt(tokens, at - 1)
  if (/^(?:mile|milepost)$/u.test(before)) return at - 1
  return /^(?:marker|post)$/u.test(before) && wordAt(tokens, at - 2) === "mile" ? at - 2 : at
}

/** Where the unit begins that stands before its house: `2B, 640 Trask`, `Cottage 8, 2300 Foothill`. */
export const codeBefore = (tokens: Tokens, at: number): number => {
  const berth = [at - 3, at - 2].find((from) => from >= 0 && berthAt(tokens, from) === at)
  if (berth !== undefined && tokens[at - 1]?.breaks === "clause") return berth
  const first = [at - 2, at - 1].find((from) => from >= 0 && codeAt(tokens, from) === at)
  return first !== undefined && tokens[at - 1]?.breaks === "clause" ? first : at
}

import { type Found, houseAt } from "./house-numbers.ts"
import { unitWords } from "./street-words.ts"
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

/** `apartment 3B`, `unit twelve`, `number 7`, `Building C, Apartment 207`, `second floor`. */
export const unitAt = (tokens: Tokens, at: number, most = 2): Found | undefined => {
  const floor = ordinalAt(tokens, at)?.end
  if (floor !== undefined && wordAt(tokens, floor) === "floor") return { end: floor + 1 }
  // `house number 22`; a house without a number word is a place, and no unit.
  const isHouse =
    wordAt(tokens, at) === "house" && tokens[at]?.breaks === "" && /^\d+$|^number$/u.test(wordAt(tokens, at + 1))
  if (!(isHouse || unitWords.has(wordAt(tokens, at)))) return undefined
  const start = wordAt(tokens, at + 1) === "number" ? at + 2 : at + 1
  const number = houseAt(tokens, start)
  // `my apartment, 4 Tioga Street`
  if (tokens[at]?.breaks !== "" && number !== undefined && streetAt(tokens, number.end, true)?.form === "typed")
    return undefined
  const end = pastLetter(tokens, number?.end ?? start)
  if (number === undefined && end === start) return undefined
  return (most > 1 ? unitAt(tokens, end, most - 1) : undefined) ?? { end }
}

const levels = new Set("upper lower basement front back garden ground top attic garage".split(" "))
const levelParts = new Set("unit apartment flat floor half level duplex suite".split(" "))

/** `upstairs`, `rear`, `the basement unit`, which tell a home from others of its house. */
export const levelAt = (tokens: Tokens, at: number): number | undefined => {
  let first = at
  while (first < at + 2 && /^(?:in|the)$/u.test(wordAt(tokens, first))) first++
  const isPart = levelParts.has(wordAt(tokens, first + 1)) && tokens[first]?.breaks === ""
  if (/^(?:upstairs|downstairs|rear)$/u.test(wordAt(tokens, first))) return isPart ? first + 2 : first + 1
  return levels.has(wordAt(tokens, first)) && isPart ? first + 2 : undefined
}

/** `, #4` and `, 2B`: a unit that nothing names, which is all between two breaks. */
export const apartAt = (tokens: Tokens, at: number): number | undefined => {
  const isApart = tokens[at - 1]?.breaks === "clause" && (tokens[at] === undefined || tokens[at]?.breaks !== "")
  return isApart && /^(?:\d{1,4}[a-z]?|[a-z]\d{1,3})$/u.test(wordAt(tokens, at)) ? at + 1 : undefined
}

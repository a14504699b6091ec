import type { Address } from "./address.ts"
import { isName } from "./streets.ts"
import { type Token, type Tokens, wordAt } from "./tokens.ts"

/** Words in the names of buildings and parks in which people live. */
const complexWords = new Set(
  `mobile home homes park trailer court village estates estate apartments towers tower manor acres condominiums condos
  townhomes commons lofts terrace gardens villas arms farm farms ranch`.split(/\s+/u)
)

/** Where people live for a week or a year: `Regal Motel room 19`. */
const lodgingWords = new Set("motel hotel inn lodge hall dorm suites marina campground".split(" "))

/** Those of them that are no streets, towns or farms, so that a number behind one is a home in it. */
const buildingWords = new Set("apartments towers tower manor condominiums condos lofts arms".split(" "))

/** Past the name of a building: `Wesley Arms`; undefined for what is none. */
export const buildingAt = (tokens: Tokens, from: number): number | undefined => {
  for (let at = from; at < from + 4; at++) {
    const token = tokens[at]
    if (token === undefined) return undefined
    if (at > from && buildingWords.has(token.word)) return at + 1
    if (!(isName(token) && token.capital) || token.breaks !== "") return undefined
  }
  return undefined
}

/** Whether a word may stand in such a name beside the names: `the` and `park` of `Shady Oaks, the mobile home park`. */
const goesOn = (word: string): boolean => word === "the" || complexWords.has(word)

/** Whether a word is of a place's own name: `Shady Pines`, and no `mobile home park`. */
export const isPlaceName = (token: Token): boolean => isName(token) && !complexWords.has(token.word)

/** The names of a park or a building after a lot: `lot 14, Sunny Acres`. */
export const pastNames = (tokens: Tokens, from: number): number => {
  let at = from
  while (
    at < from + 3 &&
    tokens[at - 1]?.breaks !== "sentence" &&
    ((isName(tokens[at]) && tokens[at]?.capital) || (at > from && goesOn(wordAt(tokens, at))))
  ) {
    at++
    if (tokens[at - 1]?.breaks !== "") return at
  }
  return tokens[at] === undefined ? at : from
}

/** Past the name of a building or a park: `Shady Oaks mobile home park, 900 Dickens Road`. */
export const pastComplex = (tokens: Tokens, from: number): number => {
  let at = from
  while (at < from + 7 && (isName(tokens[at]) || goesOn(wordAt(tokens, at)))) {
    at++
    if (tokens[at - 1]?.breaks !== "") break
  }
  return at
}

/** Where the name of a building or a park begins that stands before an address in it: `Sunny Brook, lot 41`. */
export const complexBefore = (tokens: Tokens, at: number, { form, house }: Address): number => {
  const last = tokens[at - 1]
  if (last === undefined || last.breaks === "sentence") return at
  const isUnit = form === "unit" && house === undefined
  if (!(complexWords.has(last.word) || (isUnit && (last.breaks === "clause" || lodgingWords.has(last.word))))) return at
  let from = at
  while (at - from < 4 && from > 0) {
    const token = tokens[from - 1]
    if (token === undefined || (from < at && token.breaks !== "")) break
    if (!(isName(token) && token.capital) && !complexWords.has(token.word)) break
    from--
  }
  const isPlace = tokens.slice(from, at).some(isPlaceName)
  const isLed = /^(?:at|in|of|the|is|from)$/u.test(wordAt(tokens, from - 1)) || tokens[from - 1]?.breaks === "clause"
  return isPlace && isLed ? from : at
}

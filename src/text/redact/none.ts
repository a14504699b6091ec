import type { Address } from "./address.ts"
import { unitWords } from "./street-words.ts"
import { isCounted } from "./surroundings.ts"
import type { Tokens } from "./tokens.ts"

const owners = new Set("my our his her their your the these those all other".split(" "))

/** Words of width or height, which make no street of the word after them: `a two-lane road`. */
const measures = new Set("lane foot story family bedroom car way".split(" "))

/** Whether a unit is said with it, which makes an address of any number and name: `4 Ropewalk, Apartment 1`. */
export const hasUnit = (tokens: Tokens, at: number, end: number): boolean =>
  tokens.slice(at, end).some(({ word }) => unitWords.has(word))

/** Whether a number counts things: `my two sons`, `in our house 30 years`, `a two-lane road`. */
const counts = (tokens: Tokens, at: number, { form, house, street, isWeak, end }: Address): boolean => {
  const last = tokens[end - 1]
  const next = tokens[end]
  if (form === "unit" && last?.breaks === "" && next !== undefined && isCounted(next)) return true
  const isMeasure = measures.has(street ?? "") && tokens[end - 2]?.word === street
  if (form === "typed" && isMeasure && (house?.length === 1 || street === "foot")) return true
  // `Number two, I live at ...`
  const isFirst = at === 0 || tokens[at - 1]?.breaks === "sentence"
  if (form === "unit" && isWeak === true && isFirst && last?.breaks === "clause") return true
  return (
    form === "bare" &&
    house?.length === 1 &&
    !hasUnit(tokens, at, end) &&
    (owners.has(tokens[at - 1]?.word ?? "") || (last?.cased === true && !last.capital))
  )
}

/** Whether a street stands in a list by letters: `C, Kangaroo Lane`. */
const isListed = (tokens: Tokens, at: number, { house }: Address): boolean =>
  house === undefined && tokens[at - 1]?.breaks === "clause" && /^[a-hj-z]$/u.test(tokens[at - 1]?.word ?? "")

/** Whether words were taken out right beside it before: what is left of an address there was left on purpose. */
const isBesideMark = (tokens: Tokens, at: number, { end }: Address): boolean =>
  tokens[at - 1]?.word === "" || tokens.slice(end, end + 3).some(({ word }) => word === "")

/** Whether what reads as an address counts things, is in a list of streets, or was left beside what was taken out. */
export const isNone = (tokens: Tokens, at: number, address: Address): boolean =>
  counts(tokens, at, address) || isListed(tokens, at, address) || isBesideMark(tokens, at, address)

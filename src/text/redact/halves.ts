import { addressAt } from "./addresses.ts"
import { houseAt } from "./house-numbers.ts"
import { streetAt } from "./streets.ts"
import { isCounted } from "./surroundings.ts"
import { type Tokens, wordsIn } from "./tokens.ts"

/** A house number that stands apart from its street, and where the street is if it comes after it. */
export interface Half {
  readonly from: number
  readonly to: number
  readonly street?: { readonly from: number; readonly to: number }
}

const ownNumber =
  /(?:^| )(?:(?:my|our) (?:home |house |street )?(?:address|house number)|(?:my|our) house|house number) is$/u
const someNumber = /(?:^| )(?:(?:my|our|the) (?:\w+ )?number is|(?:the |my |our )?(?:house )?numbers)$/u
const there = /(?:^| )(?:im|i am|hes|shes|were|we are|theyre) (?:over )?at$/u
const speaks = /(?:^| )(?:i|im|ive|we|my|our|us|me|mine|weve)(?: |$)/u

/** The street that follows a house number: `and the street is Fremont`, `on Dunmore Road`. */
const streetAfter = (tokens: Tokens, from: number): Half["street"] => {
  let at = from
  while (/^(?:and|on|my|our|the|street|road|name|is|its|over|streets)$/u.test(tokens[at]?.word ?? "") && at < from + 6)
    at++
  const street = at === from ? undefined : addressAt(tokens, at)
  return street === undefined || street.house !== undefined || street.form === "unit"
    ? undefined
    : { from: at, to: street.end }
}

/** Whether a street was said before a number in the same sentence: `over on Maple, number twelve`. */
const isAfterStreet = (tokens: Tokens, at: number, start: number): boolean => {
  for (let before = at - 1; before >= Math.max(start, at - 14); before--) {
    const token = tokens[before]
    if (token === undefined || (token.breaks === "sentence" && before < at - 1)) return false
    if (/^(?:on|off)$/u.test(token.word) && streetAt(tokens, before + 1, false) !== undefined) return true
  }
  return false
}

/**
 * The house number of an address in two halves that begins here: `My house number is 12, and the street is Elm`,
 * `I'm on Maple, number twelve`. `isNear` says that an address has just been removed or asked for, so that `I'm at 209`
 * names a house on its street.
 */
export const halfAt = (tokens: Tokens, at: number, start: number, isNear: boolean): Half | undefined => {
  const isCalled = tokens[at]?.word === "number"
  const house = houseAt(tokens, isCalled ? at + 1 : at)
  if (house === undefined || /^0/u.test(house.house)) return undefined
  const to = house.end
  const ends = tokens[to - 1]?.breaks !== "" || tokens[to] === undefined
  const before = wordsIn(tokens, Math.max(start, at - 6), at)
  const street = streetAfter(tokens, to)
  if ((someNumber.test(before) || ownNumber.test(before)) && street !== undefined) return { from: at, to, street }
  if (!ends) return undefined
  const isAnswer = isNear && (at === start || tokens[at - 1]?.breaks === "sentence")
  if (house.house.length > 1 && (isAnswer || ownNumber.test(before) || (isNear && there.test(before))))
    return { from: at, to }
  const around = wordsIn(tokens, Math.max(start, at - 14), to + 3)
  return isCalled && tokens[at - 1]?.breaks === "clause" && isAfterStreet(tokens, at, start) && speaks.test(around)
    ? { from: at, to }
    : undefined
}

/** Where a house number or a street was said last, and whether it was taken out there. */
export interface Said {
  readonly at: number
  readonly isTaken: boolean
}

/** Past a house number that was taken out shortly before, said again by itself: `3333 Hunter Road, that is 3333`. */
export const numberAgain = (tokens: Tokens, at: number, said: ReadonlyMap<string, Said>): number | undefined => {
  const number = houseAt(tokens, at)
  if (number === undefined || number.house.length < 3) return undefined
  const last = said.get(`#${number.house}`)
  const next = tokens[number.end]
  const isCount = next !== undefined && tokens[number.end - 1]?.breaks === "" && isCounted(next)
  return last?.isTaken === true && at - last.at < 150 && !isCount ? number.end : undefined
}

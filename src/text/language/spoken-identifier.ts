import { tens, units } from "./number-words.ts"

const unitWords = [...units.keys()]
const tenWords = new Map([...tens].map(([word, value]) => [value, word]))

/** A number below 100: `twenty four`. */
const pairOf = (value: number): string => {
  const whole = unitWords[value]
  if (whole !== undefined) return whole
  const unit = value % 10
  const ten = tenWords.get(value - unit) ?? ""
  return unit === 0 ? ten : `${ten} ${unitWords[unit]}`
}

/** How the digits of one part are said: as they are, by pairs, in full, and one by one. */
const waysOf = (digits: string): ReadonlyArray<string> => {
  const value = Number(digits)
  const rest = value % 100
  const hundreds = Math.floor(value / 100)
  const each = [...digits].map((digit) => unitWords[Number(digit)]).join(" ")
  if (value < 100) return [digits, pairOf(value), each]
  const paired = `${pairOf(hundreds % 100)} ${rest === 0 ? "hundred" : rest < 10 ? `o ${pairOf(rest)}` : pairOf(rest)}`
  if (value < 1000) {
    const full = `${pairOf(hundreds)} hundred${rest === 0 ? "" : ` ${pairOf(rest)}`}`
    return [digits, paired, full, each]
  }
  const thousand = `${pairOf(Math.floor(value / 1000))} thousand${value % 1000 === 0 ? "" : ` ${pairOf(value % 1000)}`}`
  return value < 10_000 ? [digits, paired, value % 1000 < 100 ? thousand : each] : [digits, each]
}

/** The fewest digits of an identifier that means one matter wherever it is said: `Resolution 901` comes every month. */
const fewestDigits = 4

/** The most spellings that are searched for. */
const mostWays = 32

/**
 * The ways in which a matter's identifier is said: `ordinance 24 117` and `ordinance twenty four one seventeen` for
 * `Ord. 24-117`. None for one without a word or letter before its number, or with so few digits that others share it.
 */
export const waysToSay = (identifier: string, kind: string): ReadonlyArray<string> => {
  const [, letters = "", numbers = ""] =
    /^\s*(\p{L}[\p{L}.\s]*?)[\s.#-]*(?:no\.?|number)?[\s#-]*(\d+(?:[-–/. ]\d+)*)\s*$/iu.exec(identifier) ?? []
  const groups = numbers.split(/\D+/u).filter((group) => group !== "")
  if (letters === "" || groups.join("").length < fewestDigits) return []
  const leads = letters.length <= 2 && /^(?:ordinance|resolution)$/u.test(kind) ? [letters, kind] : [letters]
  let ways: ReadonlyArray<string> = leads.flatMap((lead) => [lead, `${lead} number`])
  for (const [at, group] of groups.entries()) {
    const joins = at === 0 ? [" "] : [" ", " dash "]
    ways = ways.flatMap((before) => waysOf(group).flatMap((way) => joins.map((join) => `${before}${join}${way}`)))
  }
  // Nobody says some digits as they are written and others in words.
  const isOneWay = (way: string) => !/\d/u.test(way) || (way.match(/\d+/gu)?.length ?? 0) === groups.length
  return [...new Set(ways.filter(isOneWay))].slice(0, mostWays)
}

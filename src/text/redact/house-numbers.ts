import { ordinals, scales, tens, units } from "../language/number-words.ts"
import { directions } from "./street-words.ts"
import { type Tokens, wordAt } from "./tokens.ts"

/** A reading of some words; `end` is the token after the last of them. */
export interface Found {
  readonly end: number
}

const zeros = new Set(["oh", "o", "zero"])
export const spanishNumbers = new Set(
  "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta cien".split(
    " "
  )
)
const hesitations = new Set(["uh", "um", "er", "ah"])

export const isNumberWord = (word: string): boolean => units.has(word) || tens.has(word) || zeros.has(word)

/** Past the `two hundred and` of `two hundred and eleventh`, which numbers a street. */
export const hundredAt = (tokens: Tokens, at: number): number | undefined => {
  if (!/^(?:one|two|a)$/u.test(wordAt(tokens, at)) || wordAt(tokens, at + 1) !== "hundred") return undefined
  const rest = wordAt(tokens, at + 2) === "and" ? at + 3 : at + 2
  return ordinals.has(wordAt(tokens, rest)) ||
    (tens.has(wordAt(tokens, rest)) && ordinals.has(wordAt(tokens, rest + 1)))
    ? rest
    : undefined
}

/** Skips hesitations at this token. */
export const past = (tokens: Tokens, at: number): number => (hesitations.has(tokens[at]?.word ?? "") ? at + 1 : at)

/** A house number: `2214`, `twenty-two fourteen`, `one oh three`, `twelve hundred`, `N 2450`, `12 1/2`. */
export const houseAt = (tokens: Tokens, from: number): (Found & { readonly house: string }) | undefined => {
  const lead = tokens[from]
  if (
    lead !== undefined &&
    directions.has(lead.word) &&
    (lead.word.length === 1 ? /^\d+$/u : /^\d{3,}$/u).test(tokens[from + 1]?.word ?? "")
  ) {
    return houseAt(tokens, from + 1)
  }
  let at = from
  let house = ""
  // The value of the last group, which a following word may extend: twenty (two), six hundred (and three).
  let room = 0
  let value = 0
  // The last words of a group, which `hundred` multiplies in `two thousand two hundred`.
  let last = 0
  const group = (next: number, roomLeft: number) => {
    house += String(next)
    value = next
    last = next
    room = roomLeft
  }
  const add = (more: number, roomLeft: number) => {
    house = house.slice(0, house.length - String(value).length) + String(value + more)
    value += more
    last = more
    room = roomLeft
  }
  for (; at < tokens.length && at - from < 10; at++) {
    const token = tokens[at]
    if (token === undefined || token.amount || (house !== "" && hundredAt(tokens, at) !== undefined)) break
    // `N6431` and `16W220`, in the grids of some counties
    const word = token.word.replaceAll(",", "").replace(/^(\d{0,2})[nsew](?=\d{2,5}$)/u, "$1")
    const unit = zeros.has(word) ? 0 : units.get(word)
    const ten = tens.get(word)
    const repeated = word === "double" ? units.get(tokens[at + 1]?.word ?? "") : undefined
    if (repeated !== undefined && repeated < 10) {
      group(repeated * 11, 0)
      at++
    } else if (/^\d{1,6}[a-z]?$/u.test(word) || (house !== "" && /^\d\/\d$/u.test(word))) {
      if (house.length + word.length > 8) break
      house += word
      room = 0
    } else if (unit !== undefined) unit > 0 && unit < room ? add(unit, 0) : group(unit, 0)
    else if (ten !== undefined) ten < room ? add(ten, 10) : group(ten, 10)
    else if ((word === "hundred" || word === "thousand") && house !== "" && value > 0 && value < 100) {
      add(value * ((scales.get(word) ?? 1) - 1), scales.get(word) ?? 0)
    } else if (word === "hundred" && value > 1000 && last < 10) add(last * 99, 100)
    else if (word === "and" && room >= 100 && isNumberWord(tokens[at + 1]?.word ?? "")) continue
    else if (
      word === "and" &&
      house !== "" &&
      tokens[at + 1]?.word === "a" &&
      /^(?:half|quarter)$/u.test(wordAt(tokens, at + 2))
    )
      at += 2
    else if (hesitations.has(word) && house !== "" && isNumberWord(tokens[at + 1]?.word ?? "")) continue
    else if (/^(?:dash|hyphen)$/u.test(word) && house !== "" && isNumberWord(tokens[at + 1]?.word ?? "")) {
      // `one oh eight dash forty`, as house numbers of Queens are said
      room = 0
      continue
    } else break
    const isApart = /^\d/u.test(word) || /^\d{3}/u.test(tokens[at + 1]?.word ?? "")
    if (token.breaks === "sentence" || (token.breaks === "clause" && isApart)) {
      at++
      break
    }
  }
  return house === "" || house.length > 9 ? undefined : { end: at, house }
}

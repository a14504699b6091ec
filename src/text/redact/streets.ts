import { ordinals, tens } from "../language/number-words.ts"
import { commonWords, joiningWords } from "./common-words.ts"
import { type Found, houseAt, hundredAt, isNumberWord, spanishNumbers } from "./house-numbers.ts"
import {
  adjectives,
  commonTypes,
  directions,
  leadingArticles,
  leadingTypes,
  numberedRoads,
  plainNames,
  rareStreetTypes,
  roadKinds,
  streetTypes,
  unitWords,
  weakStreetTypes
} from "./street-words.ts"
import { type Token, type Tokens, wordAt, wordsIn } from "./tokens.ts"

/** The number of a street: `5th`, `fifth`, `forty-second`, `one hundred and third`. */
export const ordinalAt = (tokens: Tokens, at: number): Found | undefined => {
  const word = tokens[at]?.word ?? ""
  if (/^\d{1,3}(?:st|nd|rd|th)$/u.test(word) || ordinals.has(word)) return { end: at + 1 }
  const second = ordinals.get(tokens[at + 1]?.word ?? "") ?? 100
  if (tens.has(word) && second < 10) return { end: at + 2 }
  const hundred = hundredAt(tokens, at)
  return hundred === undefined ? undefined : ordinalAt(tokens, hundred)
}

/** Whether a word may be a street's name by itself. Recognizers write many names in lower case. */
export const isName = (token: Token | undefined): boolean =>
  token !== undefined &&
  !token.amount &&
  // `example.org and`
  !/\.\p{L}{2,}$/u.test(token.raw) &&
  (token.name || (!commonWords.has(token.word) && /^\p{L}[\p{L}\p{N}]*$/u.test(token.word)))

/** What may follow a street whose name is a common word. */
const endsPlain = new Set("for in since and apartment".split(" "))

/** What makes a street of a letter that is an article, too: `402 A Street`. */
const lettered = /^(?:street|avenue)$/u

/** A word that counts as a name only between a house number and a street type: `1880 Story Road`. */
const isNameHere = (token: Token | undefined, next: Token | undefined, withHouse: boolean): boolean =>
  isName(token) ||
  (withHouse && plainNames.has(token?.word ?? "") && (token?.breaks !== "" || !next || endsPlain.has(next.word))) ||
  (withHouse &&
    token?.cased === false &&
    token.breaks === "clause" &&
    next !== undefined &&
    unitWords.has(next.word)) ||
  (withHouse &&
    adjectives.has(token?.word ?? "") &&
    (isName(next) || adjectives.has(next?.word ?? "") || plainNames.has(next?.word ?? ""))) ||
  (token !== undefined &&
    (withHouse || token.capital) &&
    (!joiningWords.has(token.word) || (withHouse && token.word === "a" && lettered.test(next?.word ?? ""))) &&
    !token.amount &&
    /^[\p{L}\p{N}]+$/u.test(token.word) &&
    streetTypes.has(next?.word ?? ""))

export const isType = (token: Token | undefined, withHouse: boolean): boolean =>
  token !== undefined &&
  (streetTypes.has(token.word) ||
    ((withHouse || token.capital) && weakStreetTypes.has(token.word)) ||
    (withHouse && (!token.cased || token.capital) && rareStreetTypes.has(token.word)))

/** Past `de las`. */
const pastSpanish = (tokens: Tokens, from: number): number => {
  let at = from
  while (tokens[at - 1]?.breaks === "" && /^(?:de|del|la|las|los)$/u.test(wordAt(tokens, at)) && at < from + 2) at++
  return at
}

export type Street = Found & { readonly street: string; readonly form: "typed" | "bare" | "ordinal" }

/** `Calle del Sol`, `Avenue of the Pines`; a house number may follow the name in Spanish. */
const leadingAt = (tokens: Tokens, from: number): Street | undefined => {
  if (!leadingTypes.has(tokens[from]?.word ?? "")) return undefined
  let at = from + 1
  while (leadingArticles.has(tokens[at]?.word ?? "") && at - from < 4) at++
  const name = tokens[at]
  if (name === undefined || !(isName(name) || isNumberWord(name.word))) return undefined
  // `Avenue C`
  if (tokens[from]?.word === "avenue" && at === from + 1) {
    const isLetter = /^[b-hj-z]$/u.test(name.word) || (name.word === "a" && name.breaks !== "")
    return isLetter ? { end: at + 1, street: name.word, form: "typed" } : undefined
  }
  at++
  const most = at + 2
  while (at < most && isName(tokens[at]) && tokens[at - 1]?.breaks === "") at++
  if (tokens[at]?.word === "numero") at++
  const number = houseAt(tokens, at)
  const spanish = spanishNumbers.has(tokens[at]?.word ?? "") ? at + 1 : at
  return { end: number?.end ?? spanish, street: name.word, form: "typed" }
}

/** `West 700 South`, which a house number precedes in the grids of Utah. */
const gridAt = (tokens: Tokens, from: number): Street | undefined => {
  if (!directions.has(tokens[from]?.word ?? "") || tokens[from]?.breaks !== "") return undefined
  const number = houseAt(tokens, from + 1)
  const isGrid = number !== undefined && directions.has(tokens[number.end]?.word ?? "")
  if (!isGrid || tokens[number.end - 1]?.breaks !== "") return undefined
  const end = number.end + 1
  return { end: isType(tokens[end], false) ? end + 1 : end, street: number.house, form: "typed" }
}

/** `Farm to Market Road 2243`, `Ranch to Market 12` */
const marketAt = (tokens: Tokens, from: number): Street | undefined => {
  if (!/^(?:farm|ranch)$/u.test(wordAt(tokens, from)) || wordsIn(tokens, from + 1, from + 3) !== "to market")
    return undefined
  const number = houseAt(tokens, /^(?:road|rd)$/u.test(wordAt(tokens, from + 3)) ? from + 4 : from + 3)
  return number === undefined ? undefined : { end: number.end, street: number.house, form: "typed" }
}

/** `County Road 14`, `State Route 129`, `Highway J`, `County Road QQ`, `County Road Double K`. */
const numberedAt = (tokens: Tokens, from: number): Street | undefined => {
  const at = roadKinds.has(tokens[from]?.word ?? "") ? from + 1 : from
  const isFederal = tokens[from]?.word === "us" && tokens[from]?.breaks === ""
  const federal = isFederal ? houseAt(tokens, from + 1) : undefined
  // `all of us, 2716 Oneida`: no federal road has a number of four digits.
  if (federal !== undefined && federal.house.length < 4)
    return { end: federal.end, street: federal.house, form: "typed" }
  // `the end of the road, 400 Cedar Spur`
  if (!numberedRoads.has(tokens[at]?.word ?? "") || tokens[at]?.breaks !== "") return undefined
  const number = houseAt(tokens, at + 1)
  const lettered = wordAt(tokens, at + 1) === "double" ? at + 2 : at + 1
  const letter = tokens[lettered]
  const end = number?.end ?? (/^(?!i+$)([a-z])\1?$/u.test(letter?.word ?? "") ? lettered + 1 : undefined)
  return end === undefined ? undefined : { end, street: number?.house ?? letter?.word ?? "", form: "typed" }
}

/** Past the number of `Ranch Road 12`, whose type is at this token. */
const pastNumber = (tokens: Tokens, type: number): number =>
  tokens[type]?.breaks === "" &&
  numberedRoads.has(tokens[type]?.word ?? "") &&
  /^(?:ranch|county|state|farm|town|township|forest|route|market|bia)$/u.test(tokens[type - 1]?.word ?? "")
    ? (houseAt(tokens, type + 1)?.end ?? type + 1)
    : type + 1

/**
 * Where a street ends whose name begins with common words, as only capitals in a mixed line or a house number and its
 * type can show: `BOX ELDER ROAD`, `64 MILL RACE ROAD`.
 */
const ledAt = (tokens: Tokens, start: number, withHouse: boolean): number | undefined => {
  const before = tokens[start - 1]
  if (!(withHouse || before === undefined || before.breaks !== "" || /^(?:on|off|at|of)$/u.test(before.word)))
    return undefined
  let names = 0
  for (let at = start; at < start + 4; at++) {
    const token = tokens[at]
    if (token === undefined || token.amount || !/^\p{L}+$/u.test(token.word)) return undefined
    // `14 Live Oak Place`
    const isWritten = withHouse && token.cased && token.capital
    if (joiningWords.has(token.word) && !isWritten) return undefined
    if (at > start && streetTypes.has(token.word) && !isType(tokens[at + 1], true)) {
      const isPlain =
        withHouse ||
        (/^(?:on|off)$/u.test(before?.word ?? "") &&
          (!adjectives.has(tokens[start]?.word ?? "") ||
            /^(?:live|lived|living|reside)$/u.test(tokens[start - 2]?.word ?? "")))
      const isLast = withHouse && at > start + 1 && (token.breaks !== "" || tokens[at + 1] === undefined)
      return names > 0 || isLast || (isPlain && !commonTypes.has(token.word)) ? pastNumber(tokens, at) : undefined
    }
    if (
      at > start &&
      withHouse &&
      (weakStreetTypes.has(token.word) || rareStreetTypes.has(token.word)) &&
      (token.breaks !== "" || tokens[at + 1] === undefined || directions.has(tokens[at + 1]?.word ?? ""))
    ) {
      return at + 1
    }
    if (token.cased && !token.capital) return undefined
    if (isName(token)) names++
    if (token.breaks !== "") return undefined
  }
  return undefined
}

/** A street that begins at this token; `withHouse` if a house number precedes it, or another corner's street. */
export const streetAt = (tokens: Tokens, from: number, withHouse: boolean): Street | undefined => {
  const grid = withHouse ? gridAt(tokens, from) : undefined
  if (grid !== undefined) return grid
  let at = from
  while (directions.has(tokens[at]?.word ?? "") && at - from < 2) at++
  const special = leadingAt(tokens, at) ?? marketAt(tokens, at) ?? numberedAt(tokens, at)
  if (special !== undefined) return special
  const ordinal = ordinalAt(tokens, at)
  if (ordinal !== undefined) {
    let end = ordinal.end
    // `Second Creek Road`
    while (end < ordinal.end + 2 && isType(tokens[end], true) && tokens[end - 1]?.breaks === "") end++
    return { end, street: tokens[at]?.word ?? "", form: end > ordinal.end ? "typed" : "ordinal" }
  }
  // `East Street` and `E Street`: the direction is the name.
  if (at > from && isType(tokens[at], withHouse) && !isType(tokens[at + 1], withHouse)) {
    return { end: at + 1, street: tokens[at - 1]?.word ?? "", form: "typed" }
  }
  const first = tokens[at]
  const article = withHouse && first?.word === "the" && isName(tokens[at + 1]) ? 1 : 0
  const start = at + article
  const name = tokens[start]
  if (name === undefined || /^(?:mr|mrs|ms|miss)$/u.test(name.word)) return undefined
  const led = ledAt(tokens, start, withHouse)
  if (led === undefined && !isNameHere(name, tokens[start + 1], withHouse)) return undefined
  const named = (end: number, form: Street["form"]): Street => ({ end, street: name.word, form })
  if (led !== undefined) return named(led, "typed")
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
      return named(pastNumber(tokens, end - 1), "typed")
    }
    const next = tokens[start + length]
    if (!isNameHere(next, tokens[start + length + 1], withHouse) && !ordinals.has(next?.word ?? "")) break
  }
  let end = start + 1
  // `732 Alameda de las Pulgas`
  const spanish = pastSpanish(tokens, end)
  if (withHouse && spanish > end && isName(tokens[spanish])) return named(spanish + 1, "bare")
  while (withHouse && end < start + 3 && tokens[end - 1]?.breaks === "" && isName(tokens[end]) && tokens[end]?.capital)
    end++
  return named(end, "bare")
}

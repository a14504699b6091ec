import type { Address } from "./address.ts"
import { addressAt, addressKey, spelledAt, zipAt } from "./addresses.ts"
import type { Asked } from "./asked.ts"
import { commonWords } from "./common-words.ts"
import { complexBefore } from "./complexes.ts"
import { featuresOf } from "./features.ts"
import { type Given, officesOf } from "./given.ts"
import { halfAt, numberAgain, type Said } from "./halves.ts"
import { type Around, ruleFor } from "./home-rules.ts"
import { houseAt } from "./house-numbers.ts"
import { isCalled, isGreeted, isIntroduced, isSignedAfter } from "./introductions.ts"
import { hasUnit, isNone } from "./none.ts"
import { representedAround } from "./offices.ts"
import { phoneAt } from "./phone-numbers.ts"
import { facilities, numbered, surnames } from "./sign-words.ts"
import { signBefore } from "./signs.ts"
import type { TokenSpan, Tokens } from "./tokens.ts"
import { codeBefore, milesBefore } from "./units.ts"

/**
 * Whether an address is a home or a person's box, by its features (`featuresOf`) and the words around it, and a phone
 * number or a mail address a person's own (`contactFeatures`).
 */
export type IsPrivate = (features: ReadonlySet<string>, span: TokenSpan) => boolean

/** A home address, or the box where a person gets mail, and the rule that says so. */
export interface Home extends TokenSpan {
  readonly kind: "home" | "box"
  readonly rule: string
}

const joined = (tokens: Tokens, from: number, to: number): string =>
  tokens
    .slice(Math.max(0, from), Math.max(0, to))
    .map(({ word, breaks }) => (breaks === "sentence" ? `${word} .` : word))
    .join(" ")

const correction =
  /^(?:(?:i mean|im sorry|sorry|no|actually|rather|wait|make that|correction|excuse me|uh|um|or|its|thats) ?)+$/u

/** Words that go on after an address. */
const goesOn = new Set(
  "in and i here im my on but ive we thank thanks last this since for when years back with um uh so".split(" ")
)

/** Whether a street without a type reads as one: its words are names, and a clause ends with them. */
const isBounded = (tokens: Tokens, at: number, { end, house, form }: Address): boolean => {
  if (form === "typed") return true
  const number = houseAt(tokens, at)
  const last = tokens[end - 1]
  const next = tokens[end]
  if (last === undefined || (number !== undefined && house?.length === 1)) return false
  const isNamed = tokens.slice(number?.end ?? at, end).some((token) => token.name && !commonWords.has(token.word))
  const ends = last.breaks !== "" || next === undefined || next.segment !== last.segment
  return isNamed && (ends || goesOn.has(next.word))
}

/** Words that recognizers substitute for numbers: `I live at to 14 Maple` is 214 Maple. */
const soundAlikes = new Set(["to", "too", "for", "won", "ate"])

/** Whether a misheard number precedes the rest of an address here. */
const isMisheard = (tokens: Tokens, at: number): boolean =>
  soundAlikes.has(tokens[at]?.word ?? "") && /^(?:at|is)$/u.test(tokens[at - 1]?.word ?? "")

/** Words that go before a count, and before a whole address too: `about 56 Bluff Street`. */
const quantifiers = new Set("about over under all than another these those some only exactly".split(" "))

/** Whether the number that begins here counts, dates or cites something: `item 12`, `in 2019`. */
const isNumbered = (tokens: Tokens, at: number, { house, form, isWeak, end }: Address): boolean => {
  const before = tokens[at - 1]
  if (house === undefined || before === undefined || before.breaks !== "" || hasUnit(tokens, at, end)) return false
  const isWhole = form === "typed" && isWeak !== true
  if (quantifiers.has(before.word) && isWhole && house.length > 1) return false
  // `I'm here about 216 Monument`; a line may end before it: `light bill / 4804 Gull Lake Road`
  const isLong = house.length > 2 && (isWhole || (tokens[end - 1]?.cased === true && tokens[end - 1]?.capital === true))
  if (numbered.has(before.word))
    return !(isLong && (quantifiers.has(before.word) || before.segment !== tokens[at]?.segment))
  const isYear = /^(?:19|20)\d\d$/u.test(house) && houseAt(tokens, at) !== undefined
  if (before.word === "to" && /^(?:move|moved|moving|relocated)$/u.test(tokens[at - 2]?.word ?? "")) return false
  return isYear && form === "bare" && /^(?:in|by|since|until|during|through|from|and|the|to|of)$/u.test(before.word)
}

const streetCue = /^(?:on|off|called|named)$/u

const zipCue = /(?:^| )(?:my|our) zip(?: code)?(?: is)?$/u

/** Words that go on with where an address is. */
const isWhere = new Set(
  "and in right just by near between past across so too since for behind over up down there here".split(" ")
)

const sites = new Set("site project development location facility building".split(" "))

const selfNamed = /(?:^| )(?:i|im|my|myself|ive|we|mine)(?: |$)/u
/** Words before an address that say no more than where it is: `Still at 12 Elm Street.` */
const placing = new Set("still over up down at its thats on here yes yeah uh um the address is also no so".split(" "))
const namedNext = /^(?:\. )?(?:my )?(?:names|name is|im|i am) \w+/u

/** Whether a sentence is nothing but this address, between what a speaker says of themselves. */
const isAlone = (tokens: Tokens, at: number, end: number, start: number, after: string): boolean => {
  let first = at
  while (first > start && tokens[first - 1]?.breaks !== "sentence" && placing.has(tokens[first - 1]?.word ?? ""))
    first--
  const before = tokens[first - 1]
  if (before !== undefined && before.breaks !== "sentence" && first > start) return false
  if (tokens[end - 1]?.breaks !== "sentence" && tokens[end] !== undefined) {
    if (first === at || tokens[end - 1]?.breaks === "") return false
  }
  const said = tokens.slice(Math.max(start, at - 12), at)
  if (said.some(({ word, asks }) => asks || facilities.has(word) || numbered.has(word))) return false
  return (
    tokens[first]?.word === "still" ||
    namedNext.test(after) ||
    selfNamed.test(`${said.map(({ word }) => word).join(" ")} ${after}`)
  )
}

const first = new Set("i im ive my mine myself".split(" "))

/** The words of the sentence around these tokens, up to this many on each side. */
const sentenceAround = (tokens: Tokens, at: number, end: number, start: number, most: number): Tokens => {
  let from = at
  let to = end
  while (from > start && at - from < most && tokens[from - 1]?.breaks !== "sentence") from--
  while (to < tokens.length && to - end < most && tokens[to - 1]?.breaks !== "sentence" && tokens[to]?.turns === false)
    to++
  return [...tokens.slice(from, at), ...tokens.slice(end, to)]
}

/** Whether a speaker says it in a sentence about themselves that is about nothing else. */
const isOwnWords = (tokens: Tokens, at: number, end: number, start: number): boolean => {
  const said = sentenceAround(tokens, at, end, start, 16)
  const before = tokens[at - 1]
  if (before !== undefined && before.breaks !== "sentence" && before.name) return false
  return (
    !/^(?:on|for)$/u.test(before?.word ?? "") &&
    before?.word !== "located" &&
    tokens[at - 2]?.word !== "located" &&
    tokens[end - 1]?.asks !== true &&
    said.some(({ word }) => first.has(word)) &&
    !said.some(({ word, name }) => (facilities.has(word) && !(name && surnames.has(word))) || others.has(word))
  )
}

/** Words of sentences that are about something else, beside the facilities. */
const others = new Set(
  `client clients we city county permit volunteer motion zoning sent conducted recovered check underage officers
  postpone think believe know way one`.split(/\s+/u)
)

/** The words between two addresses of one person: `from 12 Oak Street to 40 Elm Street`. */
const between = /^(?:and |to |then |or |now |from |at |also |we |i |im |live |on |my |our |place |house |is )+$/u

/** Where the words that belong to the speaker's present remarks begin: their turn, and what was not removed before. */
const startOf = (tokens: Tokens, at: number, began: number, last: number): number => {
  let start = Math.max(began, last, at - 40)
  for (let before = at - 1; before >= start; before--) if (tokens[before]?.word === "") start = before + 1
  return start
}

/**
 * Finds spoken home addresses: every span of tokens to remove, in order. `known` holds the addresses that are public
 * because they are on the agenda (`addressKey`).
 */
export const homesIn = (
  tokens: Tokens,
  began: ReadonlyArray<number>,
  asked: ReadonlyArray<Asked | undefined>,
  known: ReadonlySet<string>,
  isPrivate: IsPrivate
): ReadonlyArray<Home> => {
  const found: Array<Home> = []
  const given: Array<Given> = []
  const introduced = new Map<Home, string>()
  const said = new Map<string, Said>()
  const saidAs = (at: number, key: string | undefined): string | undefined => {
    const last = key === undefined ? undefined : said.get(key)
    return last && `${last.isTaken ? "taken" : "left"}:${at - last.at < 150 ? "near" : "far"}`
  }
  for (let at = 0; at < tokens.length; at++) {
    const start = startOf(tokens, at, began[at] ?? 0, found.at(-1)?.to ?? 0)
    if (tokens[at]?.word.length === 5 && zipAt(tokens, at) !== undefined && zipCue.test(joined(tokens, start, at))) {
      found.push({ from: at, to: at + 1, kind: "home", rule: "zip" })
      continue
    }
    const digits = tokens[at]?.word === "number" ? at + 1 : at
    const phone = phoneAt(tokens, digits)
    // A phone number is no house number, nor are its last digits.
    if (phone?.isWritten && phone.digits.length >= 10) {
      at = phone.end - 1
      continue
    }
    const misheard = isMisheard(tokens, at)
    const address = addressAt(tokens, misheard ? at + 1 : at)
    const last = found.at(-1)
    const half = halfAt(
      tokens,
      at,
      start,
      asked[at] === "home" || (last !== undefined && last.from >= (began[at] ?? 0) && at - last.to < 20)
    )
    if (half !== undefined && address?.house === undefined) {
      const { from, to, street } = half
      found.push({ from, to, kind: "home", rule: "house-number" })
      if (street !== undefined) found.push({ ...street, kind: "home", rule: "joined" })
      at = (street ?? half).to - 1
      continue
    }
    const again = address?.house === undefined ? numberAgain(tokens, at, said) : undefined
    if (again !== undefined) {
      found.push({ from: at, to: again, kind: "home", rule: "again" })
      at = again - 1
      continue
    }
    if (address === undefined || (misheard && address.house === undefined)) continue
    const key = addressKey(address)
    if (key !== undefined && known.has(key)) {
      at = address.end - 1
      continue
    }
    if (isNumbered(tokens, at, address)) {
      at = Math.max(at, (houseAt(tokens, at)?.end ?? at) - 1)
      continue
    }
    if (isNone(tokens, at, address)) continue
    // Any common word may be a street's name; only these words make it one.
    const isBare = address.form === "bare" && address.house === undefined
    if (isBare && asked[at] !== "home" && !streetCue.test(tokens[at - 1]?.word ?? "")) continue
    const around: Around = {
      sign: signBefore(tokens, at, start),
      before: joined(tokens, Math.max(start, at - 10), at),
      after: joined(tokens, address.end, address.end + 12),
      asked: asked[at],
      get isIntroduced() {
        return isIntroduced(tokens, at, start)
      },
      isSite: tokens[at - 1]?.word === "at" && tokens[at - 2]?.breaks === "" && sites.has(tokens[at - 2]?.word ?? ""),
      get isOwnWords() {
        return isOwnWords(tokens, at, address.end, start)
      },
      isAlone: isAlone(tokens, at, address.end, start, joined(tokens, address.end, address.end + 9)),
      isJoined: found.at(-1)?.to === start && between.test(`${joined(tokens, start, at)} `),
      isGreeted: isGreeted(tokens, at, began[at] ?? 0),
      isCalled: isCalled(tokens, at),
      isSigned: isSignedAfter(tokens, address.end),
      get isOffice() {
        return representedAround(tokens, at, address, start)
      },
      isLast:
        tokens[address.end - 1]?.breaks !== "" ||
        tokens.slice(address.end, address.end + 3).some(({ word }) => word === "years") ||
        tokens[address.end] === undefined ||
        isWhere.has(tokens[address.end]?.word ?? ""),
      isBounded: isBounded(tokens, at, address),
      said: {
        house: (address.house?.length ?? 0) > 2 ? saidAs(at, `#${address.house}`) : undefined,
        street: saidAs(at, address.street)
      },
      isCorrected:
        correction.test(joined(tokens, start, at)) && (found.at(-1)?.to === start || tokens[start - 1]?.word === "")
    }
    const rule = ruleFor(address, around)
    const isGiven = rule === "introduced" || rule === "asked"
    const span = { from: at, to: address.end }
    const isTaken = isPrivate(featuresOf(tokens, at, start, address, around, rule), span)
    if (address.house !== undefined) said.set(`#${address.house}`, { at, isTaken })
    if (address.street !== undefined) said.set(address.street, { at, isTaken })
    const isOffice = !isTaken && around.isOffice
    if ((isTaken && isGiven) || isOffice) given.push({ at, address, isOffice })
    if (!isTaken) {
      // Its street alone is not judged again.
      if (address.form !== "bare") at = address.end - 1
      continue
    }
    const to = spelledAt(tokens, address.end)
    const home: Home = {
      from: Math.max(
        Math.min(complexBefore(tokens, at, address), codeBefore(tokens, at), milesBefore(tokens, at)),
        found.at(-1)?.to ?? 0
      ),
      to,
      kind: address.form === "box" || address.form === "slot" ? "box" : "home",
      rule: rule ?? "weighed"
    }
    found.push(home)
    if (isGiven && key !== undefined) introduced.set(home, key)
    at = to - 1
  }
  const offices = officesOf(tokens, given)
  return found.filter((home) => !offices.has(introduced.get(home) ?? ""))
}

import { type Address, addressAt, addressKey, spelledAt, zipAt } from "./addresses.ts"
import type { Asked } from "./asked.ts"
import { commonWords } from "./common-words.ts"
import { houseAt } from "./house-numbers.ts"
import { isGreeted, isIntroduced, isSignedAfter } from "./introductions.ts"
import { representedAround } from "./offices.ts"
import { numbered } from "./sign-words.ts"
import { type Sign, signBefore } from "./signs.ts"
import type { Tokens } from "./tokens.ts"

/** A range of tokens; `to` is exclusive. */
export interface TokenSpan {
  readonly from: number
  readonly to: number
}

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

/** What follows an address and says that it is a home: `that's where I live`, `is my address`, `which is my home`. */
const saysHome = new RegExp(
  [
    "(?:\\w+ ){0,2}where (?:i|we|ive|weve|my \\w+) (?:\\w+ ){0,2}(?:live|lived|reside|rent|rented|stay|grew up|raised)",
    "(?:\\. )?(?:thats|that is|thats been|its|it is|this is|is|which is|be|has been|and thats) (?:also |still |the |really |been )?(?:my|our|also my|where i)(?: \\w+)? (?:home|house|address|residence|place|apartment|farm)",
    "(?:\\. )?(?:thats|is|which is) (?:the house|the home|the place|home)(?: (?:my|our|i|we|for) |$| \\.)",
    "(?:\\. )?(?:my|our)(?: \\w+)? (?:home|house|residence|place)(?: |$)",
    "(?:\\. |and |so |but )?(?:and )?(?:i|we|ive|weve)(?: have| been| do| both| all)* (?:live|lived|living|reside|been)(?: right| just)? (?:there|here|next|across|down|up|around|on it|at)",
    "(?:is )?home(?: to us| for us|$| \\.)",
    "(?:\\w+ ){1,4}(?:thats|that is|which is) (?:my|our) (?:home|house|residence|place|address)"
  ]
    .map((pattern) => `^(?:${pattern})`)
    .join("|"),
  "u"
)

/** The context of an address. */
interface Around {
  readonly sign: Sign | undefined
  /** The words just before it and after it. */
  readonly before: string
  readonly after: string
  readonly asked: Asked | undefined
  readonly isIntroduced: boolean
  /** It stands at the beginning of a turn or follows a greeting; and a name follows it. */
  readonly isGreeted: boolean
  readonly isSigned: boolean
  /** The speaker speaks for an office or a client. */
  readonly isOffice: boolean
  /** Its name ends a clause and is no common word, so nothing else was taken for a street. */
  readonly isBounded: boolean
  /** It corrects an address that was just removed. */
  readonly isCorrected: boolean
}

const near =
  /(?:^| )(?:near|by|behind|beside|opposite|next to|across from|close to|away from|past|between|adjacent to)$/u
const onStreet = /(?:^| )(?:on|off|of|in|at|near|by|along|around|la|en|is|called|named|from|street|in the)$/u

/** The rule by which an address with a house number is a home. */
const houseRule = (address: Address, around: Around): string | undefined => {
  const { sign, before, after, asked, isOffice } = around
  const isSure = address.form === "typed"
  const isWhole = isSure || around.isBounded
  if (saysHome.test(after)) return "said-after"
  if (sign?.says === "elsewhere" || sign?.isSelf === false) return undefined
  const isBeside = near.test(before)
  if (sign !== undefined && !isBeside) {
    const { says, between } = sign
    const isDirect = /(?:^| )(?:at|on|is|of|in|number|en|la|calle|from)$/u.test(before) || around.isBounded
    if (says === "lives" && between <= 8 && (isSure || (isDirect && between <= 5))) return "lives"
    if (says === "place" && between <= 6 && (isWhole || isDirect)) return "own-place"
    if (says === "address" && between <= 3 && !isOffice) return "own-address"
    if (says === "owns" && isWhole) return "own-place"
    if (says === "is-at" && !isOffice && (isSure || (isWhole && between <= 3) || /(?:at|from)$/u.test(before))) {
      return "is-at"
    }
  }
  if (isOffice || asked === "site" || isBeside) return undefined
  if (asked !== undefined && isWhole) return "asked"
  if (around.isIntroduced && isWhole) return "introduced"
  if (around.isGreeted && around.isSigned) return "introduced"
  return undefined
}

/** The rule by which a street or a corner without a house number says where somebody lives. */
const streetRule = ({ form, isWeak }: Address, around: Around): string | undefined => {
  const { sign, before, after, asked } = around
  if (asked === "home" && /(?:^|\.|on|off|at|its|of|is|yes|uh|um|in)$/u.test(before.trim())) return "asked"
  if (around.isIntroduced && form === "typed" && /^(?:\. )?(?:and )?i live/u.test(after)) return "said-after"
  const isCorner = form === "corner"
  if (isCorner && /(?:^| )(?:we are|were|im|i am) (?:over |right )?(?:at|on)$/u.test(before)) {
    return saysHome.test(after) || /^(?:the )?corner/u.test(after) ? "is-at" : undefined
  }
  if (sign === undefined || sign.isSelf === false || sign.says === "elsewhere" || !onStreet.test(before))
    return undefined
  const { says, between, isSelf } = sign
  const isOn = /(?:^| )(?:on|off)$/u.test(before)
  if ((form === "bare" || isWeak) && !isOn) return undefined
  // `the residents of Fourth and Gill` are those of a neighborhood.
  if (isCorner && /(?:^| )of$/u.test(before) && !/corner of$/u.test(before)) return undefined
  const isClose = between <= (form === "bare" ? 1 : 4)
  if (says === "lives" && isClose && (isSelf === true || /^(?:living|residing|live|lived)(?: |$)/u.test(before))) {
    return "lives"
  }
  if (says === "place" && isClose && form !== "bare") return "own-place"
  if (says === "address" && form !== "bare") return "own-address"
  return says === "is-at" && between === 0 && form === "typed" && !around.isOffice ? "is-at" : undefined
}

const mail =
  /(?:^| )(?:mail|mails|checks|bills|packages|letters|write|send it|sent|mailed|use|have|rent|box is|box|address|mailing)(?: \w+){0,6}$/u
const theirs = /(?:^| )(?:my|me|our|us|we|i|her|his|im)(?: |$)/u

/** The rule by which a box is a person's. */
const boxRule = ({ form }: Address, around: Around): string | undefined => {
  const { sign, before, asked } = around
  if (sign?.says === "elsewhere" || around.isOffice) return undefined
  if (sign?.says === "lives" || sign?.says === "address" || sign?.says === "place") return "own-box"
  if (asked === "address" || asked === "mail" || asked === "home") return "asked"
  if (mail.test(before) && theirs.test(before)) return "own-box"
  if (form === "box" && (sign?.says === "is-at" || /(?:^|\.) its$/u.test(before))) return "own-box"
  if (form === "box" && around.isIntroduced) return "introduced"
  return undefined
}

/** The rule by which a unit without a house is a home. */
const unitRule = ({ sign, before, asked }: Around): string | undefined => {
  if (sign?.says === "lives" && sign.isSelf === true && sign.between <= 4) return "lives"
  if (sign?.says === "is-at" && /(?:^| )(?:in|at)$/u.test(before)) return "is-at"
  if (sign?.says === "place" && sign.between <= 2) return "own-place"
  if (sign?.says === "address") return "own-address"
  return asked === "home" ? "asked" : undefined
}

const ruleFor = (address: Address, around: Around): string | undefined => {
  const { form, house } = address
  const rule =
    form === "box" || form === "slot"
      ? boxRule(address, around)
      : form === "unit"
        ? unitRule(around)
        : house === undefined
          ? streetRule(address, around)
          : houseRule(address, around)
  return rule ?? (around.isCorrected && form !== "bare" ? "corrected" : undefined)
}

const correction =
  /^(?:(?:i mean|im sorry|sorry|no|actually|rather|wait|make that|correction|excuse me|uh|um|or|its|thats) ?)+$/u

/** Whether a street without a type reads as one: its words are names, and a clause ends with them. */
const isBounded = (tokens: Tokens, at: number, { end, house, form }: Address): boolean => {
  if (form === "typed") return true
  const number = houseAt(tokens, at)
  const last = tokens[end - 1]
  const next = tokens[end]
  if (last === undefined || (number !== undefined && house?.length === 1)) return false
  const isNamed = tokens.slice(number?.end ?? at, end).some((token) => token.name && !commonWords.has(token.word))
  const ends = last.breaks !== "" || next === undefined || next.segment !== last.segment
  return isNamed && (ends || /^(?:in|and|i|here|im|my|on|but|ive|we|thank|thanks)$/u.test(next.word))
}

/** Words that recognizers substitute for numbers: `I live at to 14 Maple` is 214 Maple. */
const soundAlikes = new Set(["to", "too", "for", "won", "ate"])

/** Whether a misheard number precedes the rest of an address here. */
const isMisheard = (tokens: Tokens, at: number): boolean =>
  soundAlikes.has(tokens[at]?.word ?? "") && /^(?:at|is)$/u.test(tokens[at - 1]?.word ?? "")

/** Whether the number that begins here counts, dates or cites something: `item 12`, `in 2019`. */
const isNumbered = (tokens: Tokens, at: number, { house, form }: Address): boolean => {
  const before = tokens[at - 1]
  if (house === undefined || before === undefined || before.breaks === "sentence") return false
  if (numbered.has(before.word)) return true
  const isYear = /^(?:19|20)\d\d$/u.test(house)
  return isYear && form === "bare" && /^(?:in|by|since|until|during|through|from|and|the|to|of)$/u.test(before.word)
}

/** A house number without a street: `My address is 2214.` */
const houseAlone = (tokens: Tokens, at: number, start: number): Home | undefined => {
  const alone = houseAt(tokens, at)
  const cue = joined(tokens, Math.max(start, at - 6), at)
  const isAlone =
    alone !== undefined &&
    alone.house.length > 1 &&
    (tokens[alone.end] === undefined || tokens[alone.end - 1]?.breaks !== "")
  return isAlone && /(?:^| )(?:my|our) (?:home |house |street )?(?:address|house number) is$/u.test(cue)
    ? { from: at, to: alone.end, kind: "home", rule: "house-number" }
    : undefined
}

const zipCue = /(?:^| )(?:my|our) zip(?: code)?(?: is)?$/u

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
  known: ReadonlySet<string>
): ReadonlyArray<Home> => {
  const found: Array<Home> = []
  for (let at = 0; at < tokens.length; at++) {
    const start = startOf(tokens, at, began[at] ?? 0, found.at(-1)?.to ?? 0)
    if (tokens[at]?.word.length === 5 && zipAt(tokens, at) !== undefined && zipCue.test(joined(tokens, start, at))) {
      found.push({ from: at, to: at + 1, kind: "home", rule: "zip" })
      continue
    }
    const misheard = isMisheard(tokens, at)
    const address = addressAt(tokens, misheard ? at + 1 : at)
    if (address === undefined || (misheard && address.house === undefined)) {
      const alone = houseAlone(tokens, at, start)
      if (alone === undefined) continue
      found.push(alone)
      at = alone.to - 1
      continue
    }
    const key = addressKey(address)
    if (key !== undefined && known.has(key)) continue
    if (isNumbered(tokens, at, address)) {
      at = Math.max(at, (houseAt(tokens, at)?.end ?? at) - 1)
      continue
    }
    const around: Around = {
      sign: signBefore(tokens, at, start),
      before: joined(tokens, Math.max(start, at - 10), at),
      after: joined(tokens, address.end, address.end + 12),
      asked: asked[at],
      isIntroduced: isIntroduced(tokens, at, start),
      isGreeted: isGreeted(tokens, at, began[at] ?? 0),
      isSigned: isSignedAfter(tokens, address.end),
      isOffice: representedAround(tokens, at, address, start),
      isBounded: isBounded(tokens, at, address),
      isCorrected:
        correction.test(joined(tokens, start, at)) && (found.at(-1)?.to === start || tokens[start - 1]?.word === "")
    }
    const rule = ruleFor(address, around)
    if (rule === undefined) continue
    const to = spelledAt(tokens, address.end)
    found.push({ from: at, to, kind: address.form === "box" || address.form === "slot" ? "box" : "home", rule })
    at = to - 1
  }
  return found
}

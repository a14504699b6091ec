import { type Address, addressAt, addressKey, spelledAt, zipAt } from "./addresses.ts"
import { houseAt } from "./house-numbers.ts"
import { commonWords, facilityWords, surnames } from "./street-words.ts"
import type { Token } from "./tokens.ts"

type Tokens = ReadonlyArray<Token>

/** A range of tokens; `to` is exclusive. */
export interface TokenSpan {
  readonly from: number
  readonly to: number
}

/** A home address, or the box where a person gets mail. */
export interface Home extends TokenSpan {
  readonly kind: "home" | "box"
  readonly rule: string
}

/** The number of words before an address that are read to decide whose it is. */
const cueReach = 16
/** The most words between the chair's request and an address. */
const requestReach = 40

const joined = (tokens: Tokens, from: number, to: number): string =>
  tokens
    .slice(Math.max(0, from), to)
    .map(({ word, breaks }) => (breaks === "sentence" ? `${word} .` : word))
    .join(" ")

const close =
  "(?: (?:uh|um|er|right|here|there|over|up|out|down|just|currently|actually|still|now|back|i mean|it is|its|is))*"
const near = `${close}(?: (?:at|on|in|off of|off|of|near|by|along|around|en la|en|en el))?${close}`
const lives =
  "(?:live|lives|lived|living|reside|resides|resided|residing|dwell|vivo|vivimos|grew up|born|raised|born and raised|rent|rents|renting|stay|stays|staying|moved to|homeowner|home owner|resident|renter|tenant)"
const mine = "(?:my|our|his|her|their|mothers|fathers|parents|grandmothers|grandfathers|familys|mi|nuestra)"
const place = "(?:home|house|residence|apartment|place|backyard|yard|driveway|porch|property|farm|casa)"
const kinds = "(?:home|mailing|physical|legal|street|current)"

const ends = (pattern: string): RegExp => new RegExp(`(?:^| )${pattern}$`, "u")

/** Cues that only a home follows, so a street without a number is enough. */
const plainCues = [
  `(?:i|we|ive|weve|im|were|my \\w+|our \\w+|he|she|they|wife|wife and i|husband|brother|family|folks|parents)(?: (?:have|has|had|am|are|was|used to|been|do|all|both|actually|currently|still|a lifelong|a|and i|my whole life|my life))* ${lives}(?: (?:my whole life|my life|all my life))?${near}`,
  `(?:im|i am|ive been|i have been) (?:a |the )?(?:\\w+ )?(?:homeowner|home owner|resident|renter|tenant)${near}`,
  `^(?:so )?(?:(?:currently|presently|now|still) )?${lives}${near}`,
  `lives?(?: .*)? in the \\w+(?: \\w+)? (?:house|apartment|home|block)(?: on| at| of)`,
  `lives? in the neighborhood on`,
  `my street(?: is|s)(?: called| named)?`,
  `(?:i|we) (?:\\w+ )?live (?:right |just )?(?:across|next|behind|beside|near|by|opposite|down|up|around)(?: \\w+){1,6} (?:on|at)`,
  `(?:vivo|vivimos|resido)(?: en(?: la| el)?)?`,
  `in the (?:\\w+ )*hundred block of`,
  `${mine} (?:\\w+ )?${place}s?(?: is| are| was| esta)?(?: located| right| just)?(?: at| on| in| en| en la)?${close}`,
  `(?:bought|purchased|built|own|owned|have|had|rent|renting|rented|found)(?: \\w+){0,2} ${place} (?:at|on|in)`
]
  .map(ends)
  .concat(/^(?:and |so |well |yes )*(?:im|i am|were|we are)(?: (?:over|right|just|out|down|up))? off(?: of)?$/u)

/** The same, but only if a house number follows too. */
const numberCues = [
  `(?:live|lives|lived|living|sleep|resident)(?: [\\w]+){0,8}`,
  `(?:im|i am|i are|were|we are|ive been|i have been|ive always been) (?:\\w+ )?(?:at|from|of)${close}`,
  `(?:is|am|was) an? (?:homeowner|resident|renter|tenant) (?:at|of)`,
  `(?:my|our|\\w+s) (?:place|house|home) is(?: \\w+){0,3}`,
  `as an? (?:\\w+ )?(?:resident|homeowner|renter|tenant) (?:of|at|on)(?: \\w+)?`,
  `(?:calling|speaking|come|joining)(?: in)?(?: tonight)? from(?: my house at)?`,
  `(?:i|we|ive|weve)(?: have)? own(?:ed)?(?: \\w+){0,2}`,
  `${mine} (?:\\w+ ){1,3}(?:at|on)`
].map(ends)

/** Cues for a mailing address: a P.O. box is enough. */
const mailCue =
  /(?:^| )(?:(?:i|we) (?:\w+ )?(?:get|gets|receive|pick up|collect) (?:my|our|all my|all our)(?: \w+)? at|(?:my|our) mail (?:goes to|comes to|is sent to)|write (?:to )?(?:me|us) at)$/u

const addressCues = [
  `(?:my|our|mi|${kinds}) (?:${kinds} )?(?:address|addresses|direccion)(?: for the record)?(?: is| es| would be)*${close}`,
  `^address(?: is)?`,
  `address where (?:i|we) live is`
].map(ends)

/** Speakers say who they are, then where they are from: `My name is Jane Doe`, `Good evening, Jane Doe`. */
const introductions = [
  /(?:^| )(?:my name is|my names|names?|name is|for the record|good (?:evening|morning|afternoon)|evening|morning|hi|hello|hey|this is|im|i am|yes)(?: \.)?((?: [\p{L}\d]+| \.){1,12})$/u
]

const after =
  /^(?:thats |that is |its |is |has been |this is )?(?:is )?(?:where (?:i|we) live|(?:my|our|also my) (?:home|house|address|residence))/u

/** A house number without a street. */
const aloneCue = /(?:^| )(?:my|our) (?:home |house |street )?(?:address|house number) is$/u

const endsClause = (tokens: Tokens, end: number): boolean => tokens[end] === undefined || tokens[end - 1]?.breaks !== ""

const zipCue = /(?:^| )(?:my|our) zip(?: code)?(?: is)?$/u

/** The chair or the clerk asks for an address. */
const request =
  /(?:where do you live|name and (?:your )?address|(?:your|state an?) address|address please|need my address|my address)(?! the)/u

/** Words between a cue and an address that show that the address belongs to something else. */
const elsewhere = new RegExp(
  `(?:^| )(?:(?:${[...facilityWords].join("|")}) (?:is |located |right |over |here |down )*(?:at|on|of|in|for|from)|${[...facilityWords].filter((word) => !surnames.has(word)).join("|")})$`,
  "u"
)

/** A landmark near which people say they live. */
const beside =
  /(?:^| )(?:i|we) (?:\w+ )?live (?:right |just )?(?:across|next|behind|beside|near|by|opposite|down|up|around|two|three)(?: \w+){1,8}$/u

const isNameLike = (words: ReadonlyArray<string>): boolean =>
  words.length >= 1 &&
  words.length <= 5 &&
  words.every(
    (word) => !commonWords.has(word) && (surnames.has(word) || !facilityWords.has(word)) && /^\p{L}+$/u.test(word)
  )

/** Words of an introduction, without the greeting and its addressee. */
const greeting =
  /^(?:(?:yes|hi|hello|hey|good|evening|morning|afternoon|everybody|everyone|mayor|council|councilmembers|members|commissioners|commission|board|chairman|chair|mr|madam|thank|you|its|my|name|names|is|for the record|and|im|i|am|this|here|thats|sir|maam|city|county|ok|okay|so|well|\.) ?)*/u

/** Whether only a name stands between the start of a speaker's remarks and the address. */
const introduces = (before: string, fresh: boolean): boolean => {
  const text = before.trim()
  if (fresh) {
    const name = text.replace(greeting, "").replace(/(?: (?:here|again|thats|its|is|still|\.)| of| from)+$/u, "")
    if (isNameLike(name.split(" ").filter((word) => word !== "" && word !== "."))) return true
  }
  return introductions.some((pattern) => {
    const said = pattern.exec(text)?.[1]
    if (said === undefined) return false
    const words = said
      .replace(greeting, "")
      .replace(/(?: (?:here|again|thats|still|at|of|from|\.|with an address of))+$/u, "")
      .split(" ")
    return isNameLike(words.filter((word) => word !== "" && word !== "."))
  })
}

/** The context of an address. */
interface Around {
  /** The same speaker's words before it, up to a limit, and whether the speaker began there. */
  readonly before: string
  readonly fresh: boolean
  readonly after: string
  /** A capitalized name that ends a clause. */
  readonly bounded: boolean
  /** A full name stands directly before it: `Jane Doe, 12 Elm Street`. */
  readonly named: boolean
  /** It has a suite, or the speaker says who it is that they represent. */
  readonly office: boolean
  /** The chair has just asked for an address. */
  readonly asked: boolean
}

/** The words before an address in its own sentence. */
const sentenceOf = (before: string): string => before.slice(before.lastIndexOf(" . ") + 1).replace(/^\. /u, "")

const isHome = (
  address: Address,
  { before: said, fresh, after: next, bounded, named, office, asked }: Around
): boolean => {
  const { form, house } = address
  const before = sentenceOf(said)
  const matches = (cues: ReadonlyArray<RegExp>) => cues.some((cue) => cue.test(before))
  const live = matches(plainCues) && !/(?:who|people|families|\.)$/u.test(before)
  if (office && !live) return false
  if (form === "unit") return live || /(?:^| )(?:im|i am|were|we are|i have|we have) (?:\w+ )?in$/u.test(before)
  if (matches(addressCues) && (house !== undefined || form !== "bare")) return true
  if (form === "corner")
    return (
      (live || (after.test(next) && /^(?:were|we are|im|i am) (?:over |right )?(?:at|on)$/u.test(before))) &&
      /(?:at|on|near|by|off|is)$/u.test(before)
    )
  if (form === "box")
    return live || matches(addressCues) || mailCue.test(before) || asked || named || introduces(said, fresh)
  if (form === "bare" && house?.length === 1 && !/ (?:at|on|is)$/u.test(` ${before}`)) return false
  if (elsewhere.test(before) && !beside.test(before)) return false
  if (house === undefined) {
    return (
      live &&
      (form === "typed"
        ? /(?:at|on|off|near|in|of|by|along|around|la|en|street is|streets|called|named)$/u.test(before)
        : /(?:^| )(?:i|we|weve|ive)(?: .*)? (?:on|off)$/u.test(before))
    )
  }
  if (live || after.test(next)) return true
  if (matches(numberCues) && (form === "typed" || /(?:at|from)$/u.test(before))) return true
  if (asked && (form === "typed" || bounded)) return true
  return (form === "typed" && named) || ((form === "typed" || bounded) && introduces(said, fresh))
}

/** Words that recognizers substitute for numbers: `I live at to 14 Maple` is 214 Maple. */
const soundAlikes = new Set(["to", "too", "for", "won", "ate"])

/** Whether a misheard number precedes the rest of an address here. */
const isMisheard = (tokens: Tokens, at: number): boolean =>
  soundAlikes.has(tokens[at]?.word ?? "") && /^(?:at|is)$/u.test(tokens[at - 1]?.word ?? "")

const nameLead = /^(?:im|am|is|its|this|yes|yeah|hi|hello|and|by)$/u

/** Whether two to four capitalized words stand directly before this token, and begin a clause. */
const isNamed = (tokens: Tokens, at: number, began: number): boolean => {
  let from = at
  while (from > began && at - from < 4) {
    const token = tokens[from - 1]
    if (token === undefined || !token.capital || (from < at && token.breaks !== "")) break
    if (!isNameLike([token.word]) || nameLead.test(token.word)) break
    from--
  }
  const before = tokens[from - 1]
  const leads =
    before === undefined ||
    from === began ||
    before.breaks !== "" ||
    before.segment !== tokens[from]?.segment ||
    nameLead.test(before.word)
  return at - from >= 2 && leads
}

const officeBefore =
  /(?:^| )(?:business|corporate|company|store|work|represent|representing|behalf|i am with|im with)(?: |$)/u
const officeAfter =
  /^(?:[^.]*?)(?:suite|on behalf|for the applicant|for the owner|here for|association|currently operating)(?: |$)/u

/** Where the speaker's turn around this token began: the start of a run of segments with one speaker. */
export const beginnings = (tokens: Tokens, speakers: ReadonlyArray<string | undefined>): ReadonlyArray<number> => {
  let began = 0
  return tokens.map(({ segment }, at) => {
    const before = tokens[at - 1]
    if (before !== undefined && before.segment !== segment && speakers[before.segment] !== speakers[segment]) began = at
    return began
  })
}

/**
 * Finds spoken home addresses: every span of tokens to remove, in order. `known` holds the addresses that are public
 * because they are on the agenda (`addressKey`).
 */
export const homesIn = (
  tokens: Tokens,
  began: ReadonlyArray<number>,
  known: ReadonlySet<string>
): ReadonlyArray<Home> => {
  const found: Array<Home> = []
  let askedAt = Number.NEGATIVE_INFINITY
  for (let at = 0; at < tokens.length; at++) {
    if (/^(?:address|please|live)$/u.test(tokens[at]?.word ?? "")) {
      if (request.test(joined(tokens, at - 6, at + 1))) askedAt = at
    }
    const start = Math.max(began[at] ?? 0, at - cueReach, found.at(-1)?.to ?? 0)
    if (tokens[at]?.word.length === 5 && zipAt(tokens, at) !== undefined && zipCue.test(joined(tokens, start, at))) {
      found.push({ from: at, to: at + 1, kind: "home", rule: "zip" })
      continue
    }
    const misheard = isMisheard(tokens, at)
    const address = addressAt(tokens, misheard ? at + 1 : at)
    if (address === undefined || (misheard && address.house === undefined)) {
      const alone = houseAt(tokens, at)
      if (
        alone !== undefined &&
        alone.house.length > 1 &&
        endsClause(tokens, alone.end) &&
        aloneCue.test(joined(tokens, Math.max(began[at] ?? 0, at - 6), at))
      ) {
        found.push({ from: at, to: alone.end, kind: "home", rule: "house-number" })
        at = alone.end - 1
      }
      continue
    }
    const key = addressKey(address)
    if (key !== undefined && known.has(key)) continue
    // Any common word may be a street's name; only these cues make it one.
    const previous = tokens[at - 1]?.word ?? ""
    if (address.form === "bare" && address.house === undefined && previous !== "on" && previous !== "off") continue
    const before = joined(tokens, start, at)
    const last = tokens[address.end - 1]
    const next = joined(tokens, address.end, address.end + 8)
    const around: Around = {
      before,
      fresh:
        start === began[at] ||
        tokens.slice(start + 1, at + 1).some(({ segment }) => segment !== tokens[start]?.segment),
      after: next,
      bounded: last?.capital === true && (last.breaks !== "" || next === "" || next.startsWith("in ")),
      named: isNamed(tokens, at, began[at] ?? 0),
      office:
        tokens.slice(at, address.end).some(({ word }) => word === "suite") ||
        officeBefore.test(joined(tokens, Math.max(start, at - 12), at)) ||
        officeAfter.test(joined(tokens, address.end, address.end + 14)),
      asked: at - askedAt <= requestReach
    }
    if (!isHome(address, around)) continue
    const to = spelledAt(tokens, address.end)
    found.push({ from: at, to, kind: address.form === "box" ? "box" : "home", rule: address.form })
    at = to - 1
  }
  return found
}

import { tens, units } from "../language/number-words.ts"
import type { TokenSpan } from "./homes.ts"
import type { Tokens } from "./tokens.ts"

/** A phone number or an e-mail address that belongs to a person. */
export interface Contact extends TokenSpan {
  readonly kind: "phone" | "email"
  readonly rule: string
}

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u))

/** The most tokens of a phone number or of an e-mail address, and of the words around one that show whose it is. */
const longest = 24
const cueReach = 14

const owners = set("my me mine his her our us your")
const phoneWords = set(
  "phone number cell cellphone mobile telephone call text reach contact landline dial ring reached mobiles cells numbers phones"
)
const ownPhones = set("cell cellphone mobile landline mobiles cells")
/** Those whose numbers and addresses are public. */
const offices = set(`
  office offices city county department dept clerk clerks staff commission council councils hotline helpline line desk
  library center centre district police sheriff board mayor mayors department agency emergency nonemergency dispatch
  school business company store website public director program planning utility utilities service services fax zoom
  meeting webinar committee campaign toll invoice account case parcel map id ordinance resolution`)
const providers = set(`
  gmail yahoo hotmail outlook aol icloud comcast att bellsouth proton protonmail msn verizon charter sbcglobal live mac
  ymail fastmail cox earthlink juno me mail knology tds frontier`)
const endings = set("com net org gov edu us io co info biz me")
const official = set("gov edu us")

const zeros = set("oh o zero")
const repeats: ReadonlyMap<string, number> = new Map([
  ["double", 2],
  ["triple", 3]
])
const fillers = set("area code uh um and extension dash")

/** The digits that one word stands for; undefined for a word that is no number. */
const digitsOf = (word: string): string | undefined => {
  if (/^\d{1,11}$/u.test(word)) return word
  if (zeros.has(word)) return "0"
  const value = units.get(word) ?? tens.get(word)
  return value === undefined ? undefined : String(value)
}

/** A telephone number in any spoken form: `865-555-0142`, `eight six five, triple five, oh one four two`. */
const phoneAt = (tokens: Tokens, from: number): number | undefined => {
  if (digitsOf(tokens[from]?.word ?? "") === undefined && !repeats.has(tokens[from]?.word ?? "")) return undefined
  let digits = ""
  let end: number | undefined
  for (let at = from; at < tokens.length && at - from < longest && digits.length < 11; at++) {
    const token = tokens[at]
    if (token === undefined || token.amount) break
    const times = repeats.get(token.word)
    const repeated = times === undefined ? undefined : digitsOf(tokens[at + 1]?.word ?? "")
    const said = repeated ?? digitsOf(token.word)
    if (said === undefined) {
      const next = tokens[at + 1]?.word ?? ""
      if (token.word === "hundred" && digits !== "") {
        digits += "00"
        if (digits.length === 7 || digits.length === 10) end = at + 1
      } else if (!fillers.has(token.word) || (digitsOf(next) === undefined && !fillers.has(next))) break
      continue
    }
    // `forty two` is 42, and `four two` is 42 too.
    const ten = tens.has(tokens[at - 1]?.word ?? "") && at > from && units.has(token.word) && said.length === 1
    digits = ten && digits.endsWith("0") ? digits.slice(0, -1) + said : digits + said.repeat(times ?? 1)
    if (repeated !== undefined) at++
    const next = tokens[at + 1]?.word ?? ""
    const continues = digitsOf(next) !== undefined && tens.has(tokens[at]?.word ?? "") && units.has(next)
    const isWhole = digits.length === 7 || digits.length === 10 || (digits.length === 11 && digits.startsWith("1"))
    if (isWhole && !continues) end = at + 1
    if (digits.length >= 7 && tokens[at]?.breaks === "sentence") break
  }
  return end
}

/** The end of a domain that begins here: `gmail.com` as one word, or `gmail dot com`. */
const domainAt = (
  tokens: Tokens,
  from: number
): { readonly end: number; readonly words: ReadonlyArray<string> } | undefined => {
  const written = tokens[from]?.raw ?? ""
  if (written.includes(".") && endings.has(written.slice(written.lastIndexOf(".") + 1)))
    return { end: from + 1, words: written.split(".") }
  const words: Array<string> = []
  for (let at = from; at < from + 6; at++) {
    const word = tokens[at]?.word
    if (word === undefined) return undefined
    words.push(word)
    if (tokens[at + 1]?.word !== "dot")
      return words.length > 1 && endings.has(word) ? { end: at + 1, words } : undefined
    if (endings.has(tokens[at + 2]?.word ?? "") && tokens[at + 3]?.word !== "dot") {
      return { end: at + 3, words: [...words, tokens[at + 2]?.word ?? ""] }
    }
    at++
  }
  return undefined
}

const introducers = set(`
  is its at me email emails address mail e to us my our or and thats the for contact reach it are by send through on`)

/** Where the name before the `at` of an e-mail address begins. */
const localFrom = (tokens: Tokens, at: number, least: number): number => {
  let from = at
  while (from > least && at - from < 10) {
    const before = tokens[from - 1]
    if (before === undefined || before.breaks === "sentence" || introducers.has(before.word)) break
    from--
  }
  return from
}

const wordsBetween = (tokens: Tokens, from: number, to: number): ReadonlyArray<string> =>
  tokens.slice(Math.max(0, from), to).map(({ word }) => word)

/** The words that show whose something is: those before it in its own sentence and the one before. */
const cueOf = (tokens: Tokens, at: number, began: number): ReadonlyArray<string> => {
  let from = at
  let sentences = 0
  while (from > began && at - from < cueReach) {
    if (tokens[from - 1]?.breaks === "sentence" && ++sentences > 1) break
    from--
  }
  return wordsBetween(tokens, from, at)
}

const hasAny = (words: ReadonlyArray<string>, list: ReadonlySet<string>): boolean =>
  words.some((word) => list.has(word))

/** The phone numbers and e-mail addresses of people. Those of offices, and a number that nobody claims, stay. */
export const contactsIn = (tokens: Tokens, began: ReadonlyArray<number>): ReadonlyArray<Contact> => {
  const found: Array<Contact> = []
  for (let at = 0; at < tokens.length; at++) {
    const start = Math.max(began[at] ?? 0, found.at(-1)?.to ?? 0)
    const end = phoneAt(tokens, at)
    if (end !== undefined) {
      const cue = cueOf(tokens, at, start)
      const says = hasAny(cue, phoneWords)
      const isOffice = hasAny(cue, offices) && !hasAny(cue, ownPhones)
      const isOwn = hasAny(cue, owners) || hasAny(cue, ownPhones) || /phone number$/u.test(cue.join(" "))
      const isClaimedAfter = /^(?:is |thats |that is )(?:my|our) /u.test(
        `${wordsBetween(tokens, end, end + 4).join(" ")} `
      )
      if (isClaimedAfter || (says && !isOffice && isOwn)) {
        found.push({ from: at, to: end, kind: "phone", rule: "own-phone" })
      }
      at = end - 1
      continue
    }
    const isAt = tokens[at]?.word === "at"
    const joined = tokens[at]?.at === true
    if (!(isAt || joined)) continue
    const domain = domainAt(tokens, at + 1)
    if (domain === undefined) continue
    const from = localFrom(tokens, joined ? at + 1 : at, start)
    if (from === at && !joined) continue
    const cue = cueOf(tokens, from, start)
    const isPersonal = domain.words.some((word) => providers.has(word))
    const isClaimed = hasAny(cue, owners) && !hasAny(cue, offices)
    if (
      !domain.words.some((word) => official.has(word)) &&
      (isPersonal ? !hasAny(cue, offices) || hasAny(cue, owners) : isClaimed)
    ) {
      found.push({ from, to: domain.end, kind: "email", rule: "own-email" })
    }
    at = domain.end - 1
  }
  return found
}

import { tens, units } from "../language/number-words.ts"
import type { Asked } from "./asked.ts"
import type { TokenSpan } from "./homes.ts"
import { anywhere, beginsWith } from "./patterns.ts"
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

const owners = set("my me mine his her our us your their ours mi i im")
/** The speaker, and those for whom they answer: a number in their sentence is theirs even if nobody calls it one. */
const persons = set(`
  i me my mine im id ive mi myself he she his her husband wife daughter son mother father mom dad sister brother
  neighbor`)
const phoneWords = set(`
  phone number cell cellphone mobile telephone call text reach contact landline dial ring reached mobiles cells numbers
  phones calls called texts texted texting calling hit line home numero telefono celular`)
const ownPhones = set("cell cellphone mobile landline mobiles cells personal")
/** Those whose numbers and addresses are public. */
const offices = set(`
  office offices city county department dept clerk clerks staff commission council councils hotline helpline desk
  library center centre district police sheriff board mayor mayors department agency emergency nonemergency dispatch
  school business company store website public director program planning utility utilities service services fax zoom
  meeting webinar committee campaign toll invoice account case parcel map id ordinance resolution permit serial
  license confirmation tracking policy badge docket order customer animal crisis receptionist front permits
  development parks engineering court courthouse hospital clinic shelter church bank vendor contractor consultant
  item items section agenda rezoning commissioner
  interpretation registrar assessor treasurer attorney representative senator councilmember vote votes budget dollars`)
/** The area codes of numbers that cost the caller nothing, which only organizations have. */
const tollFree = /^1?(?:800|833|844|855|866|877|888)/u

const providers = set(`
  gmail yahoo hotmail outlook aol icloud comcast att bellsouth proton protonmail msn verizon charter sbcglobal live mac
  ymail fastmail cox earthlink juno me mail knology tds frontier`)
const endings = set("com net org gov edu us io co info biz me")
/** A domain of a government or of a public body. */
const official =
  /^(?:gov|us|mil|ci|co|k12)$|^(?:city|town|county|village)of|(?:county|city|council|police|sheriff|library|schools)$/u

/** Before the `at`, what no person is called. */
const roles = set(
  "info help sales support contact office admin service services press news hello jobs billing comments"
)

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

/** Past `extension 44`. */
const pastExtension = (tokens: Tokens, from: number): number => {
  if (!/^(?:extension|ext|x)$/u.test(tokens[from]?.word ?? "")) return from
  let at = from + 1
  while (at < from + 6 && digitsOf(tokens[at]?.word ?? "") !== undefined) at++
  return at > from + 1 ? at : from
}

/** A telephone number in any spoken form: `865-555-0142`, `eight six five, triple five, oh one four two`. */
const phoneAt = (
  tokens: Tokens,
  from: number
): { readonly end: number; readonly digits: string; readonly isWritten: boolean } | undefined => {
  if (digitsOf(tokens[from]?.word ?? "") === undefined && !repeats.has(tokens[from]?.word ?? "")) return undefined
  let digits = ""
  let end: number | undefined
  let whole = ""
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
        if (digits.length === 7 || digits.length === 10) {
          end = at + 1
          whole = digits
        }
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
    if (isWhole && !continues) {
      end = at + 1
      whole = digits
    }
    if (digits.length >= 7 && tokens[at]?.breaks === "sentence") break
  }
  if (end === undefined) return undefined
  const said = tokens.slice(from, end).map(({ word }) => word)
  const isSpelled = whole.length >= 10 && !said.some((word) => /^\d/u.test(word))
  const isWritten = isSpelled || /^(?:(?:1-)?3-3-4|3-4|10|11)$/u.test(said.map(({ length }) => length).join("-"))
  return { end: pastExtension(tokens, end), digits: whole, isWritten }
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
  for (let at = from; at < from + 24; ) {
    // A label is a word, a few words, or letters: `kelso plumbing dot com`, `A-O-L dot com`.
    let label = ""
    let next = at
    for (let length = 0; length < 3 || (length < 12 && /^\w$/u.test(tokens[next]?.word ?? "")); length++) {
      const word = tokens[next]?.word ?? ""
      if (word === "" || word === "dot" || word === "at") break
      label += word
      next++
      if (tokens[next]?.word === "dot" || endings.has(word)) break
    }
    if (label === "") return undefined
    words.push(label)
    if (tokens[next]?.word !== "dot") return words.length > 1 && endings.has(label) ? { end: next, words } : undefined
    const last = tokens[next + 1]?.word ?? ""
    if (endings.has(last) && tokens[next + 2]?.word !== "dot") return { end: next + 2, words: [...words, last] }
    at = next + 1
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
    if (before === undefined || before.word === "" || before.breaks === "sentence") break
    if (introducers.has(before.word) && !(before.word === "the" && tokens[from]?.word === "number")) break
    from--
  }
  return from
}

const wordsBetween = (tokens: Tokens, from: number, to: number): ReadonlyArray<string> =>
  // `I'd` is no ID.
  tokens.slice(Math.max(0, from), to).map(({ word, raw }) => (/^i['’]d$/u.test(raw) ? "i" : word))

/** The words that show whose something is: those before it in its own sentence and the one before. */
const cueOf = (tokens: Tokens, at: number, began: number): ReadonlyArray<string> => {
  let from = at
  let sentences = 0
  while (from > began && at - from < cueReach) {
    if (tokens[from - 1]?.word === "" || (tokens[from - 1]?.breaks === "sentence" && ++sentences > 1)) break
    from--
  }
  return wordsBetween(tokens, from, at)
}

const hasAny = (words: ReadonlyArray<string>, list: ReadonlySet<string>): boolean =>
  words.some((word) => list.has(word))

const claimedAfter = beginsWith([
  "(?:is|thats|that is|its|which is|would be) (?:my|our|his|her|me|mines?) ",
  String.raw`(?:is|thats|that is|its|which is|would be) the best (?:\w+ )*(?:me|us) `,
  "for me |and my name |if you (?:want|need)|(?:hes|shes) my "
])
const reachesSelf = anywhere([
  String.raw`(?:i|im|we|were) (?:\w+ ){0,2}(?:reached|reachable|answer|available)|ahold of (?:me|us)`,
  "need (?:me|us)|call(?:ed|ing)? (?:me|us) back|a call back|call or text|find me|get me|my digits",
  "home phone|number again"
])

/** Whether a phone number is a person's own, by the words before and after it and by what was asked. */
const isOwnPhone = (
  cue: ReadonlyArray<string>,
  { digits, isWritten }: { readonly digits: string; readonly isWritten: boolean },
  after: string,
  asked: Asked | undefined
): boolean => {
  if (tollFree.test(digits)) return false
  if (claimedAfter.test(after)) return true
  const isOwn = hasAny(cue, ownPhones)
  if (hasAny(cue, offices) && !isOwn) return false
  if (asked === "phone" || isOwn) return true
  if (isWritten && hasAny(cue, persons)) return true
  const said = cue.join(" ")
  return (hasAny(cue, phoneWords) && hasAny(cue, owners)) || /phone number$/u.test(said) || reachesSelf.test(said)
}

/** The rule by which an e-mail address is a person's own, if one says so. */
const emailRule = (
  local: string,
  cue: ReadonlyArray<string>,
  domain: ReadonlyArray<string>,
  after: string,
  asked: Asked | undefined
): string | undefined => {
  if (domain.some((word) => official.test(word)) || roles.has(local)) return undefined
  const isOwn = hasAny(cue, owners) || claimedAfter.test(after) || /(?:^| )i (?:\w+ ){1,5}from$/u.test(cue.join(" "))
  const isOffice = hasAny(cue, offices)
  if (domain.some((word) => providers.has(word))) return isOwn || !isOffice ? "personal-email" : undefined
  if (isOffice) return undefined
  return isOwn ? "own-email" : asked === "email" ? "asked" : undefined
}

/** The phone numbers and e-mail addresses of people. Those of offices, and a number that nobody claims, stay. */
export const contactsIn = (
  tokens: Tokens,
  began: ReadonlyArray<number>,
  asked: ReadonlyArray<Asked | undefined>
): ReadonlyArray<Contact> => {
  const found: Array<Contact> = []
  for (let at = 0; at < tokens.length; at++) {
    const start = Math.max(began[at] ?? 0, found.at(-1)?.to ?? 0)
    const phone = phoneAt(tokens, at)
    const afterwards = (end: number): string => `${wordsBetween(tokens, end, end + 7).join(" ")} `
    if (phone !== undefined) {
      const { end } = phone
      if (isOwnPhone(cueOf(tokens, at, start), phone, afterwards(end), asked[at])) {
        const isCoded = tokens[at - 1]?.word === "code" && tokens[at - 2]?.word === "area" && at - 2 >= start
        found.push({ from: isCoded ? at - 2 : at, to: end, kind: "phone", rule: "own-phone" })
      }
      at = end - 1
      continue
    }
    const joined = tokens[at]?.at === true
    if (!(tokens[at]?.word === "at" || joined)) continue
    const domain = domainAt(tokens, at + 1)
    if (domain === undefined) continue
    const from = localFrom(tokens, joined ? at + 1 : at, start)
    if (from === at && !joined) continue
    const rule = emailRule(
      tokens[from]?.word ?? "",
      cueOf(tokens, from, start),
      domain.words,
      afterwards(domain.end),
      asked[at]
    )
    if (rule !== undefined) found.push({ from, to: domain.end, kind: "email", rule })
    at = domain.end - 1
  }
  return found
}

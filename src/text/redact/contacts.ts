import { tens, units } from "../language/number-words.ts"
import type { Asked } from "./asked.ts"
import type { TokenSpan } from "./homes.ts"
import { commonWords, joiningWords } from "./common-words.ts"
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

const possessives = set("my mine his her their our mi")
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
  school business company store nonprofit organization website public director program planning utility utilities service services transit health zoom
  meeting webinar committee campaign toll invoice account case parcel map id ordinance resolution permit serial
  license confirmation tracking policy badge docket order customer animal crisis receptionist front permits
  development parks engineering court courthouse hospital clinic shelter church bank vendor contractor consultant
  item items section agenda rezoning commissioner
  interpretation registrar assessor treasurer attorney representative senator councilmember vote votes budget dollars`)
/** What the public calls a number for; one that is said for it is nobody's own. */
const uses = set(`
  register comment comments participate information info apply report tickets interpreter interpreters listening listen
  join press enter passcode password sign schedule appointment translation vaccine donate help resources assistance
  numbers complaint complaints problems outage count counted`)
/** The area codes of numbers that cost the caller nothing, which only organizations have. */
const tollFree = /^1?(?:800|833|844|855|866|877|888)/u

const providers = set(`
  gmail yahoo hotmail outlook aol icloud comcast att bellsouth proton protonmail msn verizon charter sbcglobal live mac
  ymail fastmail cox earthlink juno me mail knology tds frontier`)
const mails = set("email mail account inbox correo contact reach write send send address")
const mailWords = set("email mail me my contact reach write send address line mine its thats")
/** Those whose name says an address of mail by itself. */
const plainProviders = set("gmail yahoo hotmail icloud")
const ats = set("at arroba")
const dots = set("dot punto")
const endings = set("com net org gov edu us io co info biz me")
/** A domain of a government or of a public body. */
const official =
  /^(?:gov|mil|ci|co|k12)$|^(?:city|town|county|village)of|(?:county|city|council|police|sheriff|library|schools)$/u

/** Before the `at`, what no person is called. */
const roles = set(
  "info help sales support contact office admin service services press news hello jobs billing comments"
)

const zeros = set("oh o zero nought aught cero")
const spanishDigits = "cero uno dos tres cuatro cinco seis siete ocho nueve".split(" ")
const rounds: ReadonlyMap<string, string> = new Map([
  ["hundred", "00"],
  ["thousand", "000"]
])
const repeats: ReadonlyMap<string, number> = new Map([
  ["double", 2],
  ["triple", 3]
])
const fillers = set(`
  area code uh um er ah and then thats its is dash hyphen dot point like let me see think hold on wait sorry you know i mean`)

/** The digits that one word stands for; undefined for a word that is no number. */
const digitsOf = (word: string): string | undefined => {
  if (/^\d{1,11}$/u.test(word)) return word
  if (zeros.has(word)) return "0"
  const spanish = spanishDigits.indexOf(word)
  if (spanish !== -1) return String(spanish)
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
  const ends = new Set<number>()
  for (let at = from; at < tokens.length && at - from < longest && digits.length < 11; at++) {
    const token = tokens[at]
    if (token === undefined || token.amount) break
    const times = repeats.get(token.word) ?? 1
    const said = times > 1 ? digitsOf(tokens[at + 1]?.word ?? "") : digitsOf(token.word)
    const round = digits === "" ? undefined : rounds.get(token.word)
    const next = tokens[at + 1]?.word ?? ""
    if (said === undefined && round === undefined) {
      if (!fillers.has(token.word) || (digitsOf(next) === undefined && !fillers.has(next) && !repeats.has(next))) break
      continue
    }
    // `forty two` is 42, and `four two` is 42 too.
    const isUnit = said?.length === 1 && digits.endsWith("0") && tens.has(tokens[at - 1]?.word ?? "")
    digits = (isUnit ? digits.slice(0, -1) : digits) + (round ?? said?.repeat(times))
    if (times > 1) at++
    const continues = tens.has(token.word) && (units.get(next) ?? 10) < 10
    if (!continues) ends.add(digits.length)
    const isWhole = digits.length === 7 || digits.length === 10 || (digits.length === 11 && digits.startsWith("1"))
    if (isWhole && !continues) {
      end = at + 1
      whole = digits
    }
    if (digits.length >= 7 && tokens[at]?.breaks === "sentence") break
  }
  if (end === undefined) return undefined
  // Telephone numbers are said in groups: no number of a list ends in the middle of their first three digits.
  const isWritten = ends.has(whole.length === 11 ? 4 : 3) || /^\d{10,11}$/u.test(tokens[from]?.word ?? "")
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
  // `jdoe at gmail`
  if (plainProviders.has(tokens[from]?.word ?? "") && !dots.has(tokens[from + 1]?.word ?? ""))
    return { end: from + 1, words: [tokens[from]?.word ?? ""] }
  const words: Array<string> = []
  for (let at = from; at < from + 24; ) {
    // A label is a word, a few words, or letters: `kelso plumbing dot com`, `A-O-L dot com`.
    let label = ""
    let next = at
    for (let length = 0; length < 3 || (length < 12 && /^\w$/u.test(tokens[next]?.word ?? "")); length++) {
      const word = tokens[next]?.word ?? ""
      if (word === "" || dots.has(word) || ats.has(word)) break
      label += word
      next++
      if (dots.has(tokens[next]?.word ?? "") || endings.has(word)) break
    }
    if (label === "") return undefined
    words.push(label)
    if (!dots.has(tokens[next]?.word ?? "")) return words.length > 1 && endings.has(label) ? { end: next, words } : undefined
    const last = tokens[next + 1]?.word ?? ""
    if (endings.has(last) && !dots.has(tokens[next + 2]?.word ?? "")) return { end: next + 2, words: [...words, last] }
    at = next + 1
  }
  return undefined
}

const introducers = set(`
  is its at me email emails address mail to us my our or and thats for contact reach it are by send through on from sign im es correo`)
/** The same, but only after another of them, as they are parts of names too: `the garden lady`, `e smith`. */
const articles = set("the e")

/** Where the name before the `at` of an e-mail address begins. */
const localFrom = (tokens: Tokens, at: number, least: number): number => {
  let from = at
  let clause: number | undefined
  while (from > least && at - from < 12) {
    const before = tokens[from - 1]
    if (before === undefined || before.word === "" || before.breaks === "sentence") break
    if (before.breaks === "clause" && from < at) clause ??= from
    // `jane, that's j-a-n-e`
    const isSpelled =
      before.word === "thats" && tokens[from - 2]?.breaks === "clause" && /^\p{L}$/u.test(tokens[from]?.word ?? "")
    // `my account, jane at`
    if (introducers.has(before.word) && !isSpelled) return possessives.has(before.word) ? (clause ?? from) : from
    // `the email`, `E-mail`
    if (from < at && articles.has(before.word) && introducers.has(tokens[from]?.word ?? "")) return from
    from--
  }
  // `If you want a copy, kim doan at`
  return clause ?? from
}

/** Whether a number is all that a sentence says: `Again, that's 555-0142.` */
const isAlone = (tokens: Tokens, from: number, end: number): boolean => {
  if (tokens[end - 1]?.breaks !== "sentence" && tokens[end] !== undefined) return false
  let at = from
  while (at > 0 && tokens[at - 1]?.breaks !== "sentence" && /^(?:its|thats|again|yes|yeah|sure|so|uh|um|phone|tel)$/u.test(tokens[at - 1]?.word ?? "")) at--
  return at === 0 || tokens[at - 1]?.breaks === "sentence" || tokens[at]?.turns === true
}

const wordsBetween = (tokens: Tokens, from: number, to: number): ReadonlyArray<string> =>
  tokens.slice(Math.max(0, from), to).map(({ word, raw }) => {
    // `I'd` is no ID.
    if (/^i['’]d$/u.test(raw)) return "i"
    return /['’]s$/u.test(raw) && !/^(?:it|that|he|she)['’]/u.test(raw) ? word.slice(0, -1) : word
  })

/** The words that show whose something is: those before it in its own sentence and the one before, and no question. */
const cueOf = (tokens: Tokens, at: number, began: number): ReadonlyArray<string> => {
  let from = at
  let sentences = 0
  while (from > began && at - from < cueReach) {
    if (tokens[from - 1]?.asks === true) break
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
  "for me |and my name |if you (?:want|need)|(?:hes|shes) my |ask for "
])
const reachesSelf = anywhere([
  String.raw`(?:i|im|we|were) (?:\w+ ){0,2}(?:reached|reachable|answer|available)|ahold of (?:me|us)`,
  "need (?:me|us)|call(?:ed|ing)? (?:me|us) back|a call back|call or text|find me|get me|my digits",
  "home phone|number again"
])

/** Whose the words nearest to a number say it is: `the department has my number`, `call me at the office`. */
const nearestOwner = (cue: ReadonlyArray<string>, owned: ReadonlySet<string>): "person" | "office" | undefined => {
  for (let at = cue.length - 1; at >= 0; at--) {
    const word = cue[at] ?? ""
    const before = cue.slice(Math.max(0, at - 4), at)
    const owner = before.findLastIndex((other) => possessives.has(other))
    const isTheirs = owned.has(word) && owner !== -1 && !hasAny(before.slice(owner), offices)
    if (isTheirs || (/^(?:me|us|him|her)$/u.test(word) && hasAny(before.slice(-2), owned))) return "person"
    if (offices.has(word) && !/^with (?:the|your)$/u.test(before.slice(-2).join(" "))) return "office"
  }
  return undefined
}

/** Whether a phone number is a person's own, by the words before and after it and by what was asked. */
const isOwnPhone = (
  cue: ReadonlyArray<string>,
  { digits, isWritten }: { readonly digits: string; readonly isWritten: boolean },
  isAlone: boolean,
  after: string,
  asked: Asked | undefined
): boolean => {
  if (tollFree.test(digits)) return false
  if (claimedAfter.test(after)) return true
  const nearest = nearestOwner(cue, phoneWords)
  if (nearest !== undefined && !hasAny(cue, ownPhones)) return nearest === "person"
  if (hasAny(cue, ownPhones)) return true
  // `He's at 555-0100, or call my office.`
  const next = after.split(" ").slice(0, 7)
  if (/(?:^| )(?:my|our) office /u.test(after)) return false
  if (asked === "phone") return true
  if (isWritten && (hasAny(cue, persons) || hasAny(next, persons))) return true
  const said = cue.join(" ")
  if (/phone number$/u.test(said) || reachesSelf.test(said)) return true
  if (hasAny(cue, phoneWords) && hasAny(cue, owners)) return true
  // A number that nothing else is said of, but that it is one.
  const isPhone = isWritten && (isAlone || digits.length >= 10 || hasAny(cue, phoneWords))
  return isPhone && !/(?:^| )(?:call|dial)(?: |$)/u.test(said) && ![...cue, ...next].some((word) => uses.has(word) || offices.has(word))
}

/** The rule by which an e-mail address is a person's own, if one says so. */
const emailRule = (
  local: string,
  cue: ReadonlyArray<string>,
  domain: ReadonlyArray<string>,
  after: string,
  asked: Asked | undefined,
  isJoined: boolean
): string | undefined => {
  if (domain.some((word) => official.test(word)) || roles.has(local)) return undefined
  // `Let's look at gmail dot com`
  const isPlain = commonWords.has(local) || joiningWords.has(local)
  if (isPlain && asked !== "email" && !hasAny(cue, mailWords)) return undefined
  const isSent = cue.at(-1) === "from" && hasAny(cue, persons)
  const nearest = isSent || cue.includes("personal") ? "person" : nearestOwner(cue, mails)
  if (nearest === "office") return undefined
  if (domain.some((word) => providers.has(word))) {
    return domain.length > 1 || isJoined || nearest === "person" || asked === "email" ? "personal-email" : undefined
  }
  const isOwn = hasAny(cue, owners) || claimedAfter.test(after)
  return isOwn || nearest === "person" ? "own-email" : asked === "email" ? "asked" : undefined
}

/** The phone numbers and e-mail addresses of people. Those of offices, and a number that nobody claims, stay. */
export const contactsIn = (
  tokens: Tokens,
  began: ReadonlyArray<number>,
  asked: ReadonlyArray<Asked | undefined>
): ReadonlyArray<Contact> => {
  const found: Array<Contact> = []
  const phones = new Set<string>()
  for (let at = 0; at < tokens.length; at++) {
    const start = Math.max(began[at] ?? 0, found.at(-1)?.to ?? 0)
    const phone = phoneAt(tokens, at)
    const afterwards = (end: number, most = 7): string => `${wordsBetween(tokens, end, end + most).join(" ")} `
    if (phone !== undefined) {
      const { end } = phone
      // A number that was taken is said again.
      const isAgain = phones.has(phone.digits.slice(-7))
      if (isAgain || isOwnPhone(cueOf(tokens, at, start), phone, isAlone(tokens, at, end), afterwards(end, 14), asked[at])) {
        phones.add(phone.digits.slice(-7))
        const isCoded = tokens[at - 1]?.word === "code" && tokens[at - 2]?.word === "area" && at - 2 >= start
        found.push({ from: isCoded ? at - 2 : at, to: end, kind: "phone", rule: "own-phone" })
      }
      at = end - 1
      continue
    }
    const joined = tokens[at]?.at === true
    if (!(ats.has(tokens[at]?.word ?? "") || joined)) continue
    const domain = domainAt(tokens, at + 1)
    if (domain === undefined) continue
    const from = localFrom(tokens, joined ? at + 1 : at, start)
    if (from === at && !joined) continue
    const rule = emailRule(
      tokens[from]?.word ?? "",
      cueOf(tokens, from, start),
      domain.words,
      afterwards(domain.end),
      asked[at],
      joined
    )
    if (rule !== undefined) found.push({ from, to: domain.end, kind: "email", rule })
    at = domain.end - 1
  }
  return found
}

import type { Asked } from "./asked.ts"
import { commonWords, joiningWords } from "./common-words.ts"
import {
  mails,
  mailWords,
  offices,
  official,
  owners,
  ownPhones,
  persons,
  phoneWords,
  possessives,
  providers,
  roles,
  tollFree,
  uses
} from "./contact-words.ts"
import { contactFeatures } from "./features.ts"
import type { IsPrivate } from "./homes.ts"
import { ats, domainAt, localFrom, writtenFrom } from "./mail-addresses.ts"
import { anywhere, beginsWith } from "./patterns.ts"
import { phoneAt } from "./phone-numbers.ts"
import type { TokenSpan, Tokens } from "./tokens.ts"

/** A phone number or an e-mail address that belongs to a person. */
export interface Contact extends TokenSpan {
  readonly kind: "phone" | "email"
  readonly rule: string
}

/** The words before a phone number or an e-mail address that show whose it is. */
const cueReach = 14

/** Whether a number is all that a sentence says: `Again, that's 555-0142.` */
const isAlone = (tokens: Tokens, from: number, end: number): boolean => {
  if (tokens[end - 1]?.breaks !== "sentence" && tokens[end] !== undefined) return false
  let at = from
  while (
    at > 0 &&
    tokens[at - 1]?.breaks !== "sentence" &&
    /^(?:its|thats|again|yes|yeah|sure|so|uh|um|phone|tel)$/u.test(tokens[at - 1]?.word ?? "")
  )
    at--
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
  return (
    isPhone &&
    !/(?:^| )(?:call|dial)(?: |$)/u.test(said) &&
    ![...cue, ...next].some((word) => uses.has(word) || offices.has(word))
  )
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
  asked: ReadonlyArray<Asked | undefined>,
  isPrivate: IsPrivate
): ReadonlyArray<Contact> => {
  const found: Array<Contact> = []
  const phones = new Set<string>()
  const mailed = new Set<string>()
  for (let at = 0; at < tokens.length; at++) {
    const start = Math.max(began[at] ?? 0, found.at(-1)?.to ?? 0)
    const phone = phoneAt(tokens, at)
    const afterwards = (end: number, most = 7): string => `${wordsBetween(tokens, end, end + most).join(" ")} `
    if (phone !== undefined) {
      const { end } = phone
      // A number that was taken is said again.
      const isAgain = phones.has(phone.digits.slice(-7))
      const cue = cueOf(tokens, at, start)
      const isBySelf = isAlone(tokens, at, end)
      const isOwn = isOwnPhone(cue, phone, isBySelf, afterwards(end, 14), asked[at])
      const seen = [
        `own:${isOwn}`,
        `owner:${nearestOwner(cue, phoneWords)}`,
        `asked:${asked[at]}`,
        `digits:${phone.digits.length}`,
        `written:${phone.isWritten}`,
        `alone:${isBySelf}`,
        `free:${tollFree.test(phone.digits)}`
      ]
      if (
        isAgain ||
        (!tollFree.test(phone.digits) &&
          isPrivate(contactFeatures(tokens, at, end, start, "phone", seen), { from: at, to: end }))
      ) {
        phones.add(phone.digits.slice(-7))
        const isCoded = tokens[at - 1]?.word === "code" && tokens[at - 2]?.word === "area" && at - 2 >= start
        found.push({ from: isCoded ? at - 2 : at, to: end, kind: "phone", rule: isOwn ? "own-phone" : "weighed" })
      }
      at = end - 1
      continue
    }
    const joined = tokens[at]?.at === true
    if (!(ats.has(tokens[at]?.word ?? "") || joined)) continue
    const domain = domainAt(tokens, at + 1)
    if (domain === undefined) continue
    const from = joined ? writtenFrom(tokens, at) : localFrom(tokens, at, start)
    if (from === at && !joined) continue
    const local = tokens[from]?.word ?? ""
    const cue = cueOf(tokens, from, start)
    const rule = emailRule(local, cue, domain.words, afterwards(domain.end), asked[at], joined)
    const isOffices = domain.words.some((word) => official.test(word)) || roles.has(local)
    const seen = [
      `rule:${rule}`,
      `owner:${nearestOwner(cue, mails)}`,
      `asked:${asked[at]}`,
      `provider:${domain.words.some((word) => providers.has(word))}`,
      `official:${isOffices}`,
      `joined:${joined}`
    ]
    const span = { from, to: domain.end }
    // `k.lindgren@q.com, K, Lindgren, at the letter q dot com`
    const name = tokens[joined ? at : at - 1]?.word ?? ""
    const isAgain = name.length > 2 && [...mailed].some((taken) => taken.endsWith(name))
    if (!isOffices && (isAgain || isPrivate(contactFeatures(tokens, from, domain.end, start, "email", seen), span))) {
      mailed.add(name)
      found.push({ ...span, kind: "email", rule: rule ?? "weighed" })
    }
    at = domain.end - 1
  }
  return found
}

import { whole } from "./patterns.ts"
import {
  anybody,
  dwellers,
  facilities,
  living,
  manyDwellers,
  owning,
  owningAlone,
  places,
  selves,
  surnames,
  transparent,
  ways
} from "./sign-words.ts"
import type { Token, Tokens } from "./tokens.ts"

/**
 * What the nearest telling word before an address says about it: somebody lives there, it is somebody's place or stated
 * address, somebody says that they are there, or it belongs to something else.
 */
export interface Sign {
  readonly says: "lives" | "place" | "address" | "owns" | "is-at" | "elsewhere"
  /** The words between it and the address that mean something else. */
  readonly between: number
  /** Whether the speaker, or somebody for whom they answer, is the one; undefined if nobody is named. */
  readonly isSelf: boolean | undefined
}

/** The words before an address that are read. */
const reach = 16

/** `we're`, as opposed to `were`. */
const isWeAre = ({ raw }: Token): boolean => /^we['’]re$/u.test(raw)

/** `Joan's`, as opposed to `it's`. */
const isPossessive = ({ raw }: Token): boolean =>
  /\p{L}['’]s$/u.test(raw) && !/^(?:it|that|there|here|what|he|she|let|who|where|how|when|name|this)['’]/u.test(raw)

const isSelfWord = (token: Token): boolean => selves.has(token.word) || isWeAre(token) || isPossessive(token)

/** The word without the `is` of `home's`. */
const bare = ({ word, raw }: Token): string => (/['’]s$/u.test(raw) ? word.slice(0, -1) : word)

/** Whether the words before this one in its sentence name the speaker; undefined if they name nobody. */
const selfBefore = (tokens: Tokens, at: number, start: number): boolean | undefined => {
  for (let before = at - 1; before >= Math.max(start, at - 9); before--) {
    const token = tokens[before]
    if (token === undefined || token.breaks === "sentence") return undefined
    if (/^clients?$/u.test(token.word)) return false
    // `I'm the owner-occupant`, `I'm one of the people that`
    if (token.word === "owner" && /^(?:occupant|and|of)$/u.test(tokens[before + 1]?.word ?? "")) continue
    if (token.word === "people" && tokens[before - 2]?.word === "of") continue
    if (anybody.has(token.word) || manyDwellers.has(token.word)) {
      const owner = tokens[before - 1]
      return owner !== undefined && isSelfWord(owner) && owner.breaks === ""
    }
    if (isSelfWord(token)) return true
  }
  return undefined
}

const kin = /^(?:mothers|fathers|parents|grand\w+s|brothers|sisters|sons|daughters|wifes|husbands|familys)$/u

/** Whether somebody's: `my little house`, `Joan's place`, `we bought a home`, `I have a house`, `home for us`. */
const isPossessed = (tokens: Tokens, at: number, start: number): boolean => {
  const isWay = ways.has(tokens[at]?.word ?? "")
  // `Home is Fourth and Vine.`
  const isHome = tokens[at]?.word === "home" && /^(?:is|was)$/u.test(tokens[at + 1]?.word ?? "")
  if (isHome && (at === start || tokens[at - 1]?.breaks === "sentence")) return true
  const next = tokens[at + 1]
  // `our street crews`
  if (
    isWay &&
    tokens[at]?.breaks === "" &&
    next?.name === false &&
    !transparent.has(next.word) &&
    !/^\d/u.test(next.word)
  )
    return false
  if (!isWay && tokens[at + 1]?.word === "for" && /^(?:us|me|my|our)$/u.test(tokens[at + 2]?.word ?? "")) return true
  for (let before = at - 1; before >= Math.max(start, at - 7); before--) {
    const token = tokens[before]
    if (token === undefined || token.breaks === "sentence") return false
    if (isPossessive(token) && anybody.has(bare(token))) return false
    if (/^(?:my|our|his|her|their|mi|nuestra|ours)$/u.test(token.word) || isPossessive(token) || kin.test(token.word))
      return true
    if (isWay && at - before > 2) return false
    if (!isWay && (owning.has(token.word) || living.has(token.word))) return selfBefore(tokens, before, start) === true
    if (!isWay && (isWeAre(token) || token.word === "im")) return at - before <= 7
    if (!isWay && /^(?:ive|weve)$/u.test(token.word)) return true
    if (facilities.has(token.word) && !surnames.has(token.word)) return false
  }
  return false
}

const ownAddress = /^(?:my|our|home|mailing|legal|physical|street|current|residential|permanent|old|new|mi|an|own)$/u
const addressWords = /^(?:address|addresses|direccion)$/u

/** Whose `address` is said here. */
const addressSign = (tokens: Tokens, at: number): Sign["says"] | undefined => {
  const before = [tokens[at - 1], tokens[at - 2], tokens[at - 3]].map((token) => token?.word ?? "")
  const isOf = !/^(?:my|our|home|his|her)$/u.test(before[0] ?? "") && tokens[at - 2]?.breaks === ""
  const owner = tokens[at - 1]
  if (/^(?:voting|registered)$/u.test(before[0] ?? "")) return "address"
  if (owner !== undefined && facilities.has(bare(owner))) return "elsewhere"
  if (facilities.has(before[0] ?? "") || (isOf && before.slice(1).some((word) => facilities.has(word))))
    return "elsewhere"
  if (/^(?:work|corporate|property|citys|countys|countrys|official)$/u.test(before[0] ?? "")) return "elsewhere"
  return before.some((word) => ownAddress.test(word)) ? "address" : undefined
}

/** `me and my wife been` */
const isKin = ({ word }: Token): boolean => /^(?:wife|husband|family|mother|father|kids|mom|dad|i|we)$/u.test(word)

/** `I'm`, `we are`, `I've been`, and `Been` at the start of a sentence. */
const isBe = (tokens: Tokens, at: number): boolean => {
  const token = tokens[at]
  if (token === undefined) return false
  if (/^(?:hes|shes|theyre)$/u.test(token.word)) return true
  const before = tokens[at - 1]
  if (token.word === "im" || isWeAre(token)) return true
  if (token.word === "were") return before === undefined || before.breaks === "sentence"
  if (token.word === "been" && (before === undefined || before.breaks === "sentence" || isKin(before))) return true
  return /^(?:am|are|been)$/u.test(token.word) && /^(?:i|we|have|ive|weve|always)$/u.test(before?.word ?? "")
}

/** `I'm coming from`, as opposed to traffic that comes from a street. */
const isComing = (tokens: Tokens, at: number): boolean =>
  at === 0 || tokens[at - 1]?.breaks === "sentence" || /^(?:i|im|ive|am)$/u.test(tokens[at - 1]?.word ?? "")

/** `calling from`, `this is Gwen from`: where a caller is. */
const isCalling = (tokens: Tokens, at: number, before: number): boolean =>
  !(/^com(?:e|ing)$/u.test(tokens[before]?.word ?? "") && !isComing(tokens, before)) &&
  tokens[at - 1]?.word === "from" &&
  /^(?:calling|joining|zooming|speaking|dialing|writing|coming|come|called|streaming|this|here)$/u.test(
    tokens[before]?.word ?? ""
  ) &&
  at - before <= 6

/** `I'm the owner of` */
const isOwner = (tokens: Tokens, at: number, start: number): boolean =>
  tokens[at]?.word === "owner" &&
  tokens[at + 1]?.word === "of" &&
  Array.from({ length: 4 }, (_, far) => at - 1 - far).some((before) => before >= start && isBe(tokens, before))

/** Whether a facility's word is the end of a person's name here: `Linda Park, 12 Elm Street`. */
const isSurname = (tokens: Tokens, at: number, end: number): boolean => {
  const token = tokens[at]
  return token?.name === true && surnames.has(token.word) && (token.breaks !== "" || at + 1 === end)
}

/** Words that look like signs but are none: `in this case`, `let's see`, `about a block away`. */
const isAside = (tokens: Tokens, at: number, end: number): boolean => {
  const before = tokens[at - 1]?.word ?? ""
  switch (tokens[at]?.word) {
    case "case":
      return /^(?:this|my|our|that)$/u.test(before)
    case "see":
      return before === "lets"
    case "intersection":
      return /^(?:at|near|by)$/u.test(tokens[at - 2]?.word ?? "")
    case "building":
      return /^(?:apartment|condo)$/u.test(before) && tokens[at - 2]?.word === "my"
    case "space":
      return /^(?:at|on|in|for)$/u.test(tokens[at + 1]?.word ?? "") === false
    case "about":
      return at + 1 < end
    default:
      return false
  }
}

/** `I got a letter at`: where somebody gets mail. */
const isDelivered = (tokens: Tokens, at: number, start: number): boolean =>
  /^(?:letter|notice|mail|postcard|flyer|bill|bills|package|packages|summons)$/u.test(tokens[at]?.word ?? "") &&
  tokens
    .slice(Math.max(start, at - 5), at)
    .some(({ word }, far, all) => /^(?:got|get|received|receive)$/u.test(word) && selves.has(all[far - 1]?.word ?? ""))

/** The bodies that speakers address before they say who they are. */
const addressed = /^(?:council|councils|commission|commissions|board|department|city|county|case)$/u

/** The sign before the address at this token; nothing is read before `start`. */
export const signBefore = (tokens: Tokens, at: number, start: number): Sign | undefined => {
  let between = 0
  let names = 0
  let isFor = false
  for (let before = at - 1; before >= Math.max(start, at - reach); before--) {
    const token = tokens[before]
    if (token === undefined || token.word === "") return undefined
    if (token.breaks === "sentence" && (before < at - 1 || token.asks)) return undefined
    // Before a name, something else was said: `Good evening, council, Jane Doe,`.
    if (names >= 2 && (addressed.test(token.word) || (token.breaks === "clause" && between === 0))) return undefined
    const word = bare(token)
    const sign = (says: Sign["says"], isSelf = selfBefore(tokens, before, start)): Sign => ({ says, between, isSelf })
    if (isCalling(tokens, at, before)) return sign("is-at", true)
    if (isOwner(tokens, before, start)) return sign("owns", true)
    if (isAside(tokens, before, at)) continue
    if (isSurname(tokens, before, at)) names++
    else if (facilities.has(word)) {
      // `I live behind the school on Moss Street` says where the speaker lives all the same.
      if (/^(?:drive|walk|drove|work|going|go|come)$/u.test(word) || !lives(tokens, before, start)) {
        return sign("elsewhere")
      }
    } else if (/^(?:vivo|vivimos|resido|residimos)$/u.test(word)) return sign("lives", true)
    else if (isDelivered(tokens, before, start)) return sign("address", true)
    else if (word === "moved" && selfBefore(tokens, before, start) !== true) return sign("elsewhere")
    else if (living.has(word) || dwellers.has(word)) return sign("lives")
    else if (manyDwellers.has(word)) return sign("lives", selfBefore(tokens, before, start) ?? false)
    else if (addressWords.test(word)) {
      const says = addressSign(tokens, before)
      if (says !== undefined) return sign(says)
    } else if (places.has(word) && isPossessed(tokens, before, start)) return sign("place", true)
    else if (places.has(word) && !ways.has(word)) return sign("elsewhere", false)
    else if (owningAlone.has(word) && between === 0 && selfBefore(tokens, before, start) !== undefined) {
      return sign("owns")
    } else if (isBe(tokens, before) && between <= 3) return isFor ? undefined : sign("is-at", true)
    else if (/^(?:for|with|about|as|because)$/u.test(word)) isFor = true
    else if (token.name) names++
    else if (!transparent.has(word) && !/^\d/u.test(word)) between++
  }
  return undefined
}

const besideWords = whole([
  "across|next|behind|beside|near|by|opposite|down|up|around|over|adjacent|close|from|doors|houses",
  "adjoining|abutting"
])

/** Whether the speaker lives in or beside what is named here. */
function lives(tokens: Tokens, at: number, start: number): boolean {
  for (let before = at - 1; before >= Math.max(start, at - 8); before--) {
    const token = tokens[before]
    if (token === undefined || token.breaks !== "") return false
    if (/^(?:live|lived|living)$/u.test(token.word)) {
      const between = tokens.slice(before + 1, at)
      return (
        selfBefore(tokens, before, start) === true &&
        (between.some(({ word }) => besideWords.test(word)) ||
          between.every(({ word, name }) => name || /^(?:at|in|over|above|the)$/u.test(word)))
      )
    }
  }
  return false
}

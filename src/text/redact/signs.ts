import {
  anybody,
  dwellers,
  facilities,
  living,
  manyDwellers,
  owning,
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

const isSelfWord = (token: Token): boolean => selves.has(token.word) || isWeAre(token) || /['’]s$/u.test(token.raw)

/** Whether the words before this one in its sentence name the speaker; undefined if they name nobody. */
const selfBefore = (tokens: Tokens, at: number, start: number): boolean | undefined => {
  for (let before = at - 1; before >= Math.max(start, at - 9); before--) {
    const token = tokens[before]
    if (token === undefined || token.breaks === "sentence") return undefined
    if (anybody.has(token.word) || manyDwellers.has(token.word)) return isSelfWord(tokens[before - 1] ?? token)
    if (isSelfWord(token)) return true
  }
  return undefined
}

/** Whether somebody's: `my little house`, `Joan's place`, `we bought a home`, `I have a house`. */
const isPossessed = (tokens: Tokens, at: number, start: number): boolean => {
  for (let before = at - 1; before >= Math.max(start, at - 7); before--) {
    const token = tokens[before]
    if (token === undefined || token.breaks === "sentence") return false
    if (/^(?:my|our|his|her|their|mi|nuestra|ours)$/u.test(token.word) || /\p{L}['’]s$/u.test(token.raw)) return true
    if (
      /^(?:mothers|fathers|parents|grandm\w+s|grandp\w+s|brothers|sisters|sons|daughters|wifes|husbands)$/u.test(
        token.word
      )
    )
      return true
    if (owning.has(token.word) || living.has(token.word)) return selfBefore(tokens, before, start) === true
    if (/^(?:were|im)$/u.test(token.word) && /['’]/u.test(token.raw)) return at - before <= 5
    if (/^(?:ive|weve)$/u.test(token.word)) return true
    if (facilities.has(token.word) && !surnames.has(token.word)) return false
  }
  return false
}

const ownAddress = /^(?:my|our|home|mailing|legal|physical|street|current|residential|permanent|old|new|mi|an|own)$/u
const addressWords = /^(?:address|addresses|direccion)$/u

/** Whose `address` is said here. */
const addressSign = (tokens: Tokens, at: number): Sign["says"] | undefined => {
  const before = [tokens[at - 1], tokens[at - 2], tokens[at - 3]].map((token) => token?.word ?? "")
  if (before.some((word, far) => facilities.has(word) && (far === 0 || /^(?:is|in|the)$/u.test(before[0] ?? ""))))
    return "elsewhere"
  if (/^(?:work|corporate|property|citys|countys|countrys|official)$/u.test(before[0] ?? "")) return "elsewhere"
  return before.some((word) => ownAddress.test(word)) ? "address" : undefined
}

const isBe = (tokens: Tokens, at: number): boolean => {
  const { word = "", raw = "" } = tokens[at] ?? {}
  const before = tokens[at - 1]?.word ?? ""
  return /^(?:im|were)$/u.test(word)
    ? /['’]/u.test(raw) || word === "im"
    : /^(?:am|are|been)$/u.test(word) &&
        (/^(?:i|we|have|ive|weve)$/u.test(before) ||
          (word === "been" && (tokens[at - 1]?.breaks ?? "sentence") === "sentence"))
}

/** The sign before the address at this token; nothing is read before `start`. */
export const signBefore = (tokens: Tokens, at: number, start: number): Sign | undefined => {
  let between = 0
  let be: Sign | undefined
  for (let before = at - 1; before >= Math.max(start, at - reach); before--) {
    const token = tokens[before]
    if (token === undefined || token.breaks === "sentence" || token.word === "") break
    const { word } = token
    const sign = (says: Sign["says"], isSelf = selfBefore(tokens, before, start)): Sign => ({ says, between, isSelf })
    if (facilities.has(word) && !(surnames.has(word) && token.name && between === 0)) {
      // `I live behind the school on Moss Street` says where the speaker lives all the same.
      if (/^(?:drive|walk|drove|work|going|go|come)$/u.test(word) || !lives(tokens, before, start))
        return sign("elsewhere")
    } else if (living.has(word) || dwellers.has(word)) return sign("lives")
    else if (manyDwellers.has(word)) return sign("lives", selfBefore(tokens, before, start) ?? false)
    else if (addressWords.test(word)) {
      const says = addressSign(tokens, before)
      if (says !== undefined) return sign(says)
    } else if (places.has(word) && isPossessed(tokens, before, start)) return sign("place", true)
    else if (places.has(word) && !ways.has(word)) return sign("elsewhere", false)
    else if (owning.has(word) && between === 0 && selfBefore(tokens, before, start) !== undefined) return sign("owns")
    else if (isBe(tokens, before) && be === undefined && between <= 3) be = sign("is-at", true)
    else if (!transparent.has(word) && !token.name && !/^\d/u.test(word)) between++
  }
  return be
}

/** Whether the speaker lives beside what is named here. */
function lives(tokens: Tokens, at: number, start: number): boolean {
  for (let before = at - 1; before >= Math.max(start, at - 8); before--) {
    const token = tokens[before]
    if (token === undefined || token.breaks !== "") return false
    if (/^(?:live|lived|living)$/u.test(token.word)) {
      return (
        selfBefore(tokens, before, start) === true &&
        tokens
          .slice(before, at)
          .some(({ word }) => /^(?:across|next|behind|beside|near|by|opposite|down|up|around|over)$/u.test(word))
      )
    }
  }
  return false
}

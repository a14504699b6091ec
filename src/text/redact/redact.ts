import type { Segment, Word } from "../../../schema/transcript.ts"
import { addressAt, addressKey } from "./addresses.ts"
import { contactsIn } from "./contacts.ts"
import { beginnings, homesIn } from "./homes.ts"
import { tokensOf } from "./tokens.ts"

/** The replacement for an address. */
export const removed = "[address removed]"

/** A range of characters in the text of one segment. */
interface Part {
  readonly from: number
  readonly to: number
}

/** Words to remove: their kind, and their ranges of characters in each segment. */
export interface Removal {
  readonly kind: "home" | "box" | "phone" | "email"
  readonly parts: ReadonlyArray<Part & { readonly segment: number }>
}

export interface Redacted {
  readonly segments: ReadonlyArray<Segment>
  /** The number of addresses and numbers removed. */
  readonly addresses: number
}

/** The addresses on an agenda, which are public in any spoken form. */
export const agendaAddresses = (texts: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(
    texts.flatMap((text) => {
      const tokens = tokensOf(text, 0)
      return tokens.flatMap((_, at) => {
        const address = addressAt(tokens, at)
        return (address === undefined ? undefined : addressKey(address)) ?? []
      })
    })
  )

const replaced = (text: string, parts: ReadonlyArray<Part>): string =>
  parts.toReversed().reduce((rest, { from, to }) => rest.slice(0, from) + removed + rest.slice(to), text)

/** Where each timed word occurs in its segment's text; undefined if the words and the text differ. */
const placesOf = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<Part> | undefined => {
  let at = 0
  const places: Array<Part> = []
  for (const word of words) {
    const said = word.text.trim()
    const from = text.indexOf(said, at)
    if (from === -1 || /[\p{L}\p{N}]/u.test(text.slice(at, from))) return undefined
    at = from + said.length
    places.push({ from, to: at })
  }
  return /[\p{L}\p{N}]/u.test(text.slice(at)) ? undefined : places
}

/** The words, with each replaced part as one word that lasts as long as the words it replaces. */
const wordsWithout = (words: ReadonlyArray<Word>, places: ReadonlyArray<Part>, parts: ReadonlyArray<Part>) => {
  const kept: Array<Word> = []
  let last: Part | undefined
  words.forEach((word, at) => {
    const place = places[at]
    const part = parts.find(({ from, to }) => place !== undefined && place.from < to && from < place.to)
    const before = kept.at(-1)
    if (part === undefined) kept.push(word)
    else if (part === last && before !== undefined)
      kept[kept.length - 1] = { ...before, end: Math.max(before.end, word.end) }
    else kept.push({ start: word.start, end: word.end, text: removed })
    last = part
  })
  return kept
}

const without = (segment: Segment, parts: ReadonlyArray<Part>): Segment => {
  if (parts.length === 0) return segment
  const { words, ...rest } = segment
  const text = replaced(segment.text, parts)
  const places = words === undefined ? undefined : placesOf(segment.text, words)
  // Words that do not match the text might still contain the address, so the segment loses them.
  return words === undefined || places === undefined
    ? { ...rest, text }
    : { ...rest, text, words: wordsWithout(words, places, parts) }
}

/** The words to remove, in order. Every address on the agenda (`known`) stays. */
export const removalsIn = (segments: ReadonlyArray<Segment>, known: ReadonlySet<string>): ReadonlyArray<Removal> => {
  const tokens = segments.flatMap(({ text }, at) => tokensOf(text, at))
  const began = beginnings(
    tokens,
    segments.map(({ speaker }) => speaker)
  )
  const homes = homesIn(tokens, began, known)
  const taken = new Set(homes.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, next) => from + next)))
  const contacts = contactsIn(tokens, began).filter(({ from, to }) => !taken.has(from) && !taken.has(to - 1))
  return [...homes, ...contacts]
    .sort((a, b) => a.from - b.from)
    .map(({ kind, from, to }) => {
      const spoken = tokens.slice(from, to)
      return {
        kind,
        parts: [...new Set(spoken.map(({ segment }) => segment))].map((segment) => {
          const within = spoken.filter((token) => token.segment === segment)
          return { segment, from: within[0]?.start ?? 0, to: within.at(-1)?.end ?? 0 }
        })
      }
    })
}

/**
 * Removes the home addresses, phone numbers, e-mail addresses and P.O. boxes that people say are theirs. Sites,
 * facilities and streets under discussion stay, and so do the numbers of offices. What spans segments leaves a mark in
 * each of them; the mark has the time of all the words it replaces.
 */
export const redact = (segments: ReadonlyArray<Segment>, known: ReadonlySet<string>): Redacted => {
  const removals = removalsIn(segments, known)
  const parts = new Map<number, Array<Part>>()
  for (const { segment, from, to } of removals.flatMap((removal) => removal.parts)) {
    const list = parts.get(segment) ?? []
    list.push({ from, to })
    parts.set(segment, list)
  }
  return { segments: segments.map((segment, at) => without(segment, parts.get(at) ?? [])), addresses: removals.length }
}

import type { RemovalKind, Segment, Word } from "../../../schema/transcript.ts"
import { keyedIn } from "./addresses.ts"
import { askedBefore } from "./asked.ts"
import { contactsIn } from "./contacts.ts"
import { grown } from "./grown.ts"
import { homesIn, type IsPrivate } from "./homes.ts"
import { marks } from "./marks.ts"
import { type TokenSpan, type Tokens, tokensIn, tokensOf } from "./tokens.ts"
import { type Judgment, judgedBy } from "./weights.ts"

/** A range of characters in the text of one segment. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** Words to remove: their kind, the rule that says so, and their ranges of characters in each segment. */
export interface Removal {
  readonly kind: RemovalKind
  readonly rule: string
  readonly parts: ReadonlyArray<Part & { readonly segment: number }>
}

export interface Redacted {
  readonly segments: ReadonlyArray<Segment>
  /** The number of addresses and numbers removed. */
  readonly addresses: number
}

/** The addresses on an agenda, which are public in any spoken form. */
export const agendaAddresses = (texts: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => keyedIn(tokensOf(text, 0)).map(({ key }) => key)))

/** A range of one segment, and the mark that takes its place. */
interface Marked extends Part {
  readonly mark: string
}

/** Overlapping ranges as one, in order. */
const apart = (parts: ReadonlyArray<Marked>): ReadonlyArray<Marked> =>
  parts
    .toSorted((a, b) => a.from - b.from)
    .reduce<Array<Marked>>((merged, part) => {
      const last = merged.at(-1)
      if (last === undefined || part.from >= last.to) merged.push(part)
      else merged[merged.length - 1] = { ...last, to: Math.max(last.to, part.to) }
      return merged
    }, [])

const replaced = (text: string, parts: ReadonlyArray<Marked>): string =>
  parts.toReversed().reduce((rest, { from, to, mark }) => rest.slice(0, from) + mark + rest.slice(to), text)

/** Where each timed word occurs in its segment's text; undefined if the words and the text differ. */
export const placesOf = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<Part> | undefined => {
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
const wordsWithout = (words: ReadonlyArray<Word>, places: ReadonlyArray<Part>, parts: ReadonlyArray<Marked>) => {
  const kept: Array<Word> = []
  let last: Marked | undefined
  words.forEach((word, at) => {
    const place = places[at]
    const part = parts.find(({ from, to }) => place !== undefined && place.from < to && from < place.to)
    const before = kept.at(-1)
    if (part === undefined) kept.push(word)
    else if (part === last && before !== undefined)
      kept[kept.length - 1] = { ...before, end: Math.max(before.end, word.end) }
    else kept.push({ start: word.start, end: word.end, text: part.mark })
    last = part
  })
  return kept
}

const without = (segment: Segment, parts: ReadonlyArray<Marked>): Segment => {
  if (parts.length === 0) return segment
  const { words, ...rest } = segment
  const text = replaced(segment.text, parts)
  const places = words === undefined ? undefined : placesOf(segment.text, words)
  // Words that do not match the text might still contain the address, so the segment loses them.
  return words === undefined || places === undefined
    ? { ...rest, text }
    : { ...rest, text, words: wordsWithout(words, places, parts) }
}

/** Where the speaker's turn around each token began: at a change of speaker, by label or by `>>`. */
const beginnings = (tokens: Tokens, speakers: ReadonlyArray<string | undefined>): ReadonlyArray<number> => {
  let began = 0
  return tokens.map(({ segment, turns }, at) => {
    const before = tokens[at - 1]
    if (turns || (before !== undefined && speakers[before.segment] !== speakers[segment])) began = at
    return began
  })
}

/** The words to remove, in order. Every address on the agenda (`known`) stays. */
export const removalsIn = (
  segments: ReadonlyArray<Segment>,
  known: ReadonlySet<string>,
  judge: (tokens: Tokens) => Judgment = judgedBy
): ReadonlyArray<Removal> => {
  const tokens = tokensIn(segments.map(({ text }) => text))
  const began = beginnings(
    tokens,
    segments.map(({ speaker }) => speaker)
  )
  const asked = askedBefore(tokens)
  const { isPrivate: isJudged, words } = judge(tokens)
  const judged: Array<TokenSpan> = []
  const isPrivate: IsPrivate = (features, span) => {
    judged.push(span)
    return isJudged(features, span)
  }
  const homes = homesIn(tokens, began, asked, known, isPrivate)
  const said = contactsIn(tokens, began, asked, isPrivate)
  // The number in a mail address is no house.
  const kept = homes.filter((home) => !said.some(({ from, to }) => from <= home.from && home.to <= to))
  const taken = new Set(kept.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, next) => from + next)))
  const isFree = ({ from, to }: TokenSpan) => !tokens.slice(from, to).some((_, next) => taken.has(from + next))
  // What was taken for a house may be the first digits of a phone number: `number 314 555 0121`.
  const rest = said.map((contact) => {
    let { from } = contact
    while (from < contact.to && taken.has(from)) from++
    return { ...contact, from }
  })
  const spans = [...kept, ...rest.filter((span) => span.from < span.to && isFree(span))].sort((a, b) => a.from - b.from)
  return grown(tokens, spans, judged, words, known).map(({ kind, rule, from, to }) => {
    const spoken = tokens.slice(from, to)
    return {
      kind,
      rule,
      parts: [...new Set(spoken.map(({ segment }) => segment))].map((segment) => {
        const within = spoken.filter((token) => token.segment === segment)
        const to = within.at(-1)?.end ?? 0
        // `19 Hawthorne St., who could not come`
        const isAbbreviated = /^\.[,;:)]/u.test(segments[segment]?.text.slice(to, to + 2) ?? "")
        return { segment, from: within[0]?.start ?? 0, to: isAbbreviated ? to + 1 : to }
      })
    }
  })
}

/** The segments without these words. What spans segments leaves a mark in each; a mark lasts as long as its words. */
export const applied = (segments: ReadonlyArray<Segment>, removals: ReadonlyArray<Removal>): ReadonlyArray<Segment> => {
  const parts = Map.groupBy(
    removals.flatMap((removal) => removal.parts.map((part) => ({ ...part, mark: marks[removal.kind] }))),
    ({ segment }) => segment
  )
  return segments.map((segment, at) => without(segment, apart(parts.get(at) ?? [])))
}

/**
 * Removes the home addresses, phone numbers, e-mail addresses and P.O. boxes that people say are theirs. Sites,
 * facilities and streets under discussion stay, and so do the numbers of offices.
 */
export const redact = (segments: ReadonlyArray<Segment>, known: ReadonlySet<string>): Redacted => {
  const removals = removalsIn(segments, known)
  return { segments: applied(segments, removals), addresses: removals.length }
}

import { type DocumentSet, intersect, listOf, noDocuments, sizeOf } from "./document-set.ts"
import { widestPhrase } from "./positions.ts"
import { type PositionLists, Positions, positionsOf } from "./postings.ts"
import type { Segment } from "./segment.ts"
import type { Phrase } from "./types.ts"

/** The documents that hold all of these lexemes; none if there are no lexemes. */
export const holdingAll = (segment: Segment, lexemes: ReadonlyArray<string>): DocumentSet => {
  const terms = [...new Set(lexemes)].map((lexeme) => segment.term(lexeme))
  if (terms.length === 0 || terms.includes(-1)) return noDocuments
  return terms
    .toSorted((a, b) => segment.frequency(a) - segment.frequency(b))
    .map((term) => segment.setOf(term))
    .reduce(intersect)
}

interface Placed extends PositionLists {
  readonly at: number
  readonly frequency: number
}

/** Keeps of the beginnings those whose phrase has a word at `at` too; how many there are. Both rise. */
const keepWhere = (begins: Int32Array, count: number, positions: Int32Array, of: number, at: number): number => {
  let kept = 0
  for (let i = 0, j = 0; i < count && j < of; i++) {
    const begin = begins[i] ?? 0
    while (j < of && (positions[j] ?? 0) < begin + at) j++
    if (j < of && positions[j] === begin + at) begins[kept++] = begin
  }
  return kept
}

/** Those of some documents, which hold all of its words, where the words stand as in the phrase; the rarest is read first. */
const standingIn = (segment: Segment, phrase: Phrase, candidates: Uint32Array): Uint32Array => {
  const [rarest, ...others] = phrase
    .map(({ lexeme, at }): Placed => {
      const term = segment.term(lexeme)
      return { ...positionsOf(segment, term, candidates), at, frequency: segment.frequency(term) }
    })
    .toSorted((a, b) => a.frequency - b.frequency)
  if (rarest === undefined) return candidates.subarray(0, 0)
  const [begins, positions] = [new Positions(), new Positions()]
  return candidates.filter((_, i) => {
    let count = begins.read(rarest.bytes, rarest.starts[i] ?? 0)
    const { values } = begins
    for (let j = 0; j < count; j++) values[j] = (values[j] ?? 0) - rarest.at
    for (const { bytes, starts, at } of others) {
      if (count === 0) return false
      const of = positions.read(bytes, starts[i] ?? 0)
      count = keepWhere(values, count, positions.values, of, at)
    }
    return count > 0
  })
}

/** One text per phrase, wherever it begins. */
const keyOf = (phrase: Phrase): string => {
  const first = Math.min(...phrase.map(({ at }) => at))
  return JSON.stringify(phrase.map(({ lexeme, at }) => [lexeme, at - first]))
}

/**
 * The documents of `within` (absent: of the whole segment) where a phrase stands in `named` or within one stretch; the
 * answer may hold more, outside `within`. The sets of whole segments are kept, and made unless `within` leaves few of the
 * documents that hold the words.
 */
export const holdingPhrase = (segment: Segment, phrase: Phrase, within?: DocumentSet): DocumentSet => {
  const places = phrase.map(({ at }) => at)
  if (Math.max(...places) - Math.min(...places) > widestPhrase) return noDocuments
  const key = keyOf(phrase)
  const kept = segment.phrases.get(key)
  if (kept !== undefined) return kept
  const candidates = holdingAll(
    segment,
    phrase.map(({ lexeme }) => lexeme)
  )
  const few = within === undefined ? candidates : intersect(candidates, within)
  const isNarrow = sizeOf(few) * 4 < sizeOf(candidates)
  const list = standingIn(segment, phrase, listOf(isNarrow ? few : candidates))
  if (!isNarrow) segment.phrases.set(key, { list }, list.byteLength)
  return { list }
}

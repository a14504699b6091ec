import { zeros } from "../format/arena.ts"
import { type DocumentSet, intersect, noDocuments, sizeOf } from "../format/document-set.ts"
import type { Segment } from "../format/segment.ts"
import { widestPhrase } from "../format/word-positions.ts"
import type { Phrase } from "../types.ts"
import { type PositionLists, PositionReader, positionLists, positionsIn } from "./skip-lists.ts"

/** The documents (of `among`, if given) that hold all of these lexemes; none if there are no lexemes. */
export const documentsWithAll = (
  segment: Segment,
  lexemes: ReadonlyArray<string>,
  among?: DocumentSet
): DocumentSet => {
  const terms = [...new Set(lexemes)].map((lexeme) => segment.term(lexeme))
  if (terms.length === 0 || terms.includes(-1)) return noDocuments
  const rarestFirst = terms.toSorted((a, b) => segment.frequency(a) - segment.frequency(b))
  const sets = rarestFirst.map((term) => segment.setOf(term))
  return among === undefined ? sets.reduce(intersect) : sets.reduce(intersect, among)
}

/** A lexeme of a phrase, with its positions in the candidates. */
interface PhraseTerm extends PositionLists {
  readonly at: number
  readonly frequency: number
}

/**
 * Filters the starts of a phrase, in place, by the positions of its lexeme at `at`; both are ascending. Returns how
 * many remain.
 */
const filterStarts = (starts: Int32Array, count: number, positions: Int32Array, of: number, at: number): number => {
  let remaining = 0
  for (let i = 0, j = 0; i < count && j < of; i++) {
    const begin = starts[i] ?? 0
    while (j < of && (positions[j] ?? 0) < begin + at) j++
    if (j < of && positions[j] === begin + at) starts[remaining++] = begin
  }
  return remaining
}

/**
 * Whether two lexemes of a phrase are adjacent somewhere in a document, by a merge that ends at the first such place.
 */
const areInRow = (a: PhraseTerm, b: PhraseTerm, document: number): boolean => {
  const [{ reader: ofA, end: endA }, { reader: ofB, end: endB }] = [positionsIn(a, document), positionsIn(b, document)]
  if (ofA.at === endA || ofB.at === endB) return false
  let [beginA, beginB] = [ofA.next() - a.at, ofB.next() - b.at]
  while (beginA !== beginB) {
    if (beginA < beginB) {
      if (ofA.at >= endA) return false
      beginA += ofA.next()
    } else {
      if (ofB.at >= endB) return false
      beginB += ofB.next()
    }
  }
  return true
}

/**
 * Tests whether all lexemes of a phrase are consecutive somewhere in the i-th candidate. The rarest terms come first.
 */
const phraseMatcher = (terms: ReadonlyArray<PhraseTerm>) => {
  const [first, second, ...others] = terms
  const [begins, positions] = [new PositionReader(), new PositionReader()]
  return (i: number): boolean => {
    if (first === undefined) return false
    if (second === undefined) return (first.bytes[first.starts[i] ?? 0] ?? 0) > 0
    if (!areInRow(first, second, i)) return false
    if (others.length === 0) return true
    let count = begins.read(first, i)
    const { values } = begins
    for (let j = 0; j < count; j++) values[j] = (values[j] ?? 0) - first.at
    for (const term of [second, ...others]) {
      const of = positions.read(term, i)
      count = filterStarts(values, count, positions.values, of, term.at)
    }
    return count > 0
  }
}

/** The candidates in which the words of the phrase are consecutive. All candidates hold all of the words. */
const filterByPhrase = (segment: Segment, phrase: Phrase, candidates: DocumentSet): DocumentSet => {
  const terms = phrase
    .map(({ lexeme, at }): PhraseTerm => {
      const term = segment.term(lexeme)
      return { ...positionLists(segment, term, candidates), at, frequency: segment.frequency(term) }
    })
    .toSorted((a, b) => a.frequency - b.frequency)
  const isMatch = phraseMatcher(terms)
  if ("list" in candidates) return { list: candidates.list.filter((_, i) => isMatch(i)) }
  const bits = zeros(candidates.bits.length)
  for (let i = 0, n = 0; i < bits.length; i++) {
    let matches = 0
    for (let word = candidates.bits[i] ?? 0; word !== 0; word &= word - 1) if (isMatch(n++)) matches |= word & -word
    bits[i] = matches
  }
  return { bits }
}

/** The cache key of a phrase, independent of where it begins in the query. */
const keyOf = (phrase: Phrase): string => {
  const first = Math.min(...phrase.map(({ at }) => at))
  return JSON.stringify(phrase.map(({ lexeme, at }) => [lexeme, at - first]))
}

/**
 * The documents of `within` (default: the whole segment) that have a phrase in `named` or within one passage; the set
 * may have more, outside `within`. Sets for whole segments are cached. Unless `within` has few of the candidates, the
 * set is computed for the whole segment.
 */
export const documentsWithPhrase = (segment: Segment, phrase: Phrase, within?: DocumentSet): DocumentSet => {
  const positions = phrase.map(({ at }) => at)
  if (Math.max(...positions) - Math.min(...positions) > widestPhrase) return noDocuments
  const key = keyOf(phrase)
  const cached = segment.phrases.get(key)
  if (cached !== undefined) return cached
  const candidates = documentsWithAll(
    segment,
    phrase.map(({ lexeme }) => lexeme)
  )
  const few = within === undefined ? candidates : intersect(candidates, within)
  const isSelective = sizeOf(few) * 4 < sizeOf(candidates)
  const matches = filterByPhrase(segment, phrase, isSelective ? few : candidates)
  if (!isSelective) {
    // A copy, because the cache outlives the query and its arena.
    const copy: DocumentSet = "list" in matches ? { list: matches.list.slice() } : { bits: matches.bits.slice() }
    segment.phrases.set(key, copy)
  }
  return matches
}

import { zeros } from "../format/arena.ts"
import { type DocumentSet, intersect, noDocuments, sizeOf } from "../format/document-set.ts"
import type { Segment } from "../format/segment.ts"
import { VarintReader } from "../format/varint.ts"
import { widestPhrase } from "../format/word-positions.ts"
import type { Phrase } from "../types.ts"
import { type PositionLists, Positions, positionsOf } from "./skip-lists.ts"

/** The documents (of `among`, if given) that hold all of these lexemes; none if there are no lexemes. */
export const holdingAll = (segment: Segment, lexemes: ReadonlyArray<string>, among?: DocumentSet): DocumentSet => {
  const terms = [...new Set(lexemes)].map((lexeme) => segment.term(lexeme))
  if (terms.length === 0 || terms.includes(-1)) return noDocuments
  const rising = terms.toSorted((a, b) => segment.frequency(a) - segment.frequency(b))
  const sets = rising.map((term) => segment.setOf(term))
  return among === undefined ? sets.reduce(intersect) : sets.reduce(intersect, among)
}

/** A lexeme of a phrase, with its positions in the documents that may hold the phrase. */
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

/** Whether one lexeme of a phrase stands in a document where another one asks for it: both are read no further than that. */
const meet = (a: Placed, b: Placed, document: number): boolean => {
  const [ofA, ofB] = [new VarintReader(a.bytes, a.starts[document]), new VarintReader(b.bytes, b.starts[document])]
  const [sizeA, sizeB] = [ofA.next(), ofB.next()]
  if (sizeA === 0 || sizeB === 0) return false
  const [endA, endB] = [ofA.at + sizeA, ofB.at + sizeB]
  let [beginA, beginB] = [ofA.next() - a.at, ofB.next() - b.at]
  while (beginA !== beginB) {
    if (beginA < beginB) {
      if (ofA.at === endA) return false
      beginA += ofA.next()
    } else {
      if (ofB.at === endB) return false
      beginB += ofB.next()
    }
  }
  return true
}

/** Whether all lexemes of a phrase stand in a row somewhere in the i-th document. The rarest are read first. */
const standsInRow = (placed: ReadonlyArray<Placed>) => {
  const [first, second, ...others] = placed
  const [begins, positions] = [new Positions(), new Positions()]
  return (i: number): boolean => {
    if (first === undefined) return false
    if (second === undefined) return (first.bytes[first.starts[i] ?? 0] ?? 0) > 0
    if (!meet(first, second, i)) return false
    if (others.length === 0) return true
    let count = begins.read(first.bytes, first.starts[i] ?? 0)
    const { values } = begins
    for (let j = 0; j < count; j++) values[j] = (values[j] ?? 0) - first.at
    for (const { bytes, starts, at } of [second, ...others]) {
      const of = positions.read(bytes, starts[i] ?? 0)
      count = keepWhere(values, count, positions.values, of, at)
    }
    return count > 0
  }
}

/** Those of some documents, which hold all of its words, where the words stand as in the phrase. */
const standingIn = (segment: Segment, phrase: Phrase, candidates: DocumentSet): DocumentSet => {
  const placed = phrase
    .map(({ lexeme, at }): Placed => {
      const term = segment.term(lexeme)
      return { ...positionsOf(segment, term, candidates), at, frequency: segment.frequency(term) }
    })
    .toSorted((a, b) => a.frequency - b.frequency)
  const stands = standsInRow(placed)
  if ("list" in candidates) return { list: candidates.list.filter((_, i) => stands(i)) }
  const bits = zeros(candidates.bits.length)
  for (let i = 0, n = 0; i < bits.length; i++) {
    let kept = 0
    for (let word = candidates.bits[i] ?? 0; word !== 0; word &= word - 1) if (stands(n++)) kept |= word & -word
    bits[i] = kept
  }
  return { bits }
}

/** One text per phrase, wherever it begins. */
const keyOf = (phrase: Phrase): string => {
  const first = Math.min(...phrase.map(({ at }) => at))
  return JSON.stringify(phrase.map(({ lexeme, at }) => [lexeme, at - first]))
}

/**
 * The documents of `within` (absent: of the whole segment) where a phrase stands in `named` or within one passage; the
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
  const standing = standingIn(segment, phrase, isNarrow ? few : candidates)
  if (!isNarrow) {
    // What is kept outlives the query.
    const lasting: DocumentSet = "list" in standing ? { list: standing.list.slice() } : { bits: standing.bits.slice() }
    segment.phrases.set(key, lasting, ("list" in lasting ? lasting.list : lasting.bits).byteLength)
  }
  return standing
}

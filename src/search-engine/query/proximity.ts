import { listOf } from "../format/document-set.ts"
import type { Segment } from "../format/segment.ts"
import { firstPassage } from "../format/word-positions.ts"
import type { Phrase } from "../types.ts"
import { documentsWithAll } from "./phrases.ts"
import { PositionReader, positionLists } from "./skip-lists.ts"

/** Words of `named` co-occur within this many words. */
const namedWindow = 16

/** The weight of a co-occurrence in `named`; one in a passage has weight 1. */
const namedWeight = 3
/** That of one in a printed passage. All of them together weigh as much as one in a passage, at the most. */
const printedWeight = 0.25

/** The weight of word order outside of titles and names (weight A), where it is 1; less in what is printed. */
const outsideTitleWeight = 0.5
const inPrintWeight = 0.25

/** The proximity and order of a query's terms in a document. */
export interface Proximity {
  /**
   * Co-occurrences of all terms: 3 for each in `named`, 1 for each passage that has any, 1 at most for printed ones.
   */
  readonly coOccurrences: number
  /** The similarity of the best co-occurrence to the query, from 0 to 1. */
  readonly similarity: number
}

/** Whether two words co-occur: in `named` within 16 words, in speech in one passage (or in 256 words of it). */
const coOccur = (a: number, b: number): boolean =>
  a < firstPassage || b < firstPassage ? Math.abs(a - b) < namedWindow : a >>> 8 === b >>> 8

/** From this many terms on, as in a pasted sentence, one may be said in the passage before or after. */
const manyTerms = 6

/** The displacement of a term there. */
const neighborDisplacement = 12

const areNeighbors = (a: number, b: number): boolean =>
  a >= firstPassage && b >= firstPassage && Math.abs((a >>> 9) - (b >>> 9)) === 1

/** A cursor over the positions of a query term, relative to the rarest term. */
class TermCursor {
  /** The offset of this term from the rarest one in the query, in words. */
  readonly offset: number
  readonly #positions: PositionReader
  #at = 0

  constructor(offset: number, positions: PositionReader) {
    this.offset = offset
    this.#positions = positions
  }

  /** Call it for each document. */
  reset() {
    this.#at = 0
  }

  /** The position nearest to `target`. Targets ascend. */
  nearest(target: number): number {
    const { values, count } = this.#positions
    if (count === 0) return Number.POSITIVE_INFINITY
    let distance = Math.abs((values[this.#at] ?? 0) - target)
    while (this.#at + 1 < count) {
      const next = Math.abs((values[this.#at + 1] ?? 0) - target)
      if (next > distance) break
      distance = next
      this.#at++
    }
    return values[this.#at] ?? 0
  }
}

/**
 * The proximity around each occurrence of the rarest term. The words of the title end at `lastTitle`; the printed ones
 * begin at `printedFrom`.
 */
const proximityIn = (
  rarest: PositionReader,
  others: ReadonlyArray<TermCursor>,
  lastTitle: number,
  printedFrom: number
): Proximity => {
  const isLong = others.length + 1 >= manyTerms
  let [coOccurrences, printed, similarity, block] = [0, 0, 0, -1]
  for (let at = 0; at < rarest.count; at++) {
    const position = rarest.values[at] ?? 0
    let displacement = 0
    for (const other of others) {
      const target = position + other.offset
      const nearest = other.nearest(target)
      if (coOccur(nearest, position)) displacement += Math.abs(nearest - target)
      else {
        displacement += isLong && areNeighbors(nearest, position) ? neighborDisplacement : Number.POSITIVE_INFINITY
      }
    }
    if (displacement === Number.POSITIVE_INFINITY) continue
    const isPrinted = position >= printedFrom
    const weight = position <= lastTitle ? 1 : isPrinted ? inPrintWeight : outsideTitleWeight
    similarity = Math.max(similarity, weight / (1 + displacement / others.length))
    const isNamed = position < firstPassage
    if (isNamed) coOccurrences += namedWeight
    else if (position >>> 8 !== block) {
      block = position >>> 8
      if (isPrinted) printed += printedWeight
      else coOccurrences++
    }
  }
  return { coOccurrences: coOccurrences + Math.min(1, printed), similarity }
}

/**
 * The proximity of at least two query terms, in those of the documents (ascending) that hold them all. A co-occurrence
 * is similar if the terms have the order and the gaps of the query: a term n words away from its expected place adds n
 * to the displacement, and a mean displacement of 1 halves the similarity.
 */
export const proximity = (segment: Segment, layout: Phrase, documents: Uint32Array): ReadonlyMap<number, Proximity> => {
  const lexemes = layout.map(({ lexeme }) => lexeme)
  const withAll = listOf(documentsWithAll(segment, lexemes, { list: documents }))
  if (withAll.length === 0) return new Map()
  const lists = layout
    .map(({ lexeme, at }) => ({ term: segment.term(lexeme), at }))
    .toSorted((a, b) => segment.frequency(a.term) - segment.frequency(b.term))
    .map(({ term, at }) => ({
      at,
      positions: new PositionReader(),
      ...positionLists(segment, term, { list: withAll })
    }))
  const [rarest, ...rest] = lists
  if (rarest === undefined) return new Map()
  const others = rest.map(({ at, positions }) => new TermCursor(at - rarest.at, positions))
  const byDocument = new Map<number, Proximity>()
  for (const [i, document] of withAll.entries()) {
    for (const list of lists) list.positions.read(list, i)
    for (const other of others) other.reset()
    const [lastTitle = 0, printedFrom = 0] = [segment.lastTitles[document], segment.printedFrom[document]]
    byDocument.set(document, proximityIn(rarest.positions, others, lastTitle, printedFrom))
  }
  return byDocument
}

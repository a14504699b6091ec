import { listOf } from "../format/document-set.ts"
import type { Segment } from "../format/segment.ts"
import { firstPassage } from "../format/word-positions.ts"
import type { Phrase } from "../types.ts"
import { holdingAll } from "./phrases.ts"
import { Positions, positionsOf } from "./skip-lists.ts"

/** Words of `named` stand near each other within so many words. */
const nearWords = 16

/** What a place in `named` counts for beside a passage of speech. */
const namedPlace = 3

/** What a place outside of the title and its like (weight A) counts for, as the most alike, beside one there. */
const besideTitle = 0.5

/** How near each other the words of a query stand in a document. */
export interface Nearness {
  /** How often all of them stand near each other: 3 for each such place in `named`, 1 for each such passage. */
  readonly places: number
  /** How alike the best of these places is to the query, from 0 to 1. */
  readonly alike: number
}

/** Whether two words stand near each other: in `named` within 16 words, in speech in one passage (or in 256 words of it). */
const areNear = (a: number, b: number): boolean =>
  a < firstPassage || b < firstPassage ? Math.abs(a - b) < nearWords : a >>> 8 === b >>> 8

/** A word of the query: its positions in the document that is looked at, and how many words after the rarest one it is asked for. */
class Other {
  readonly offset: number
  readonly #positions: Positions
  #at = 0

  constructor(offset: number, positions: Positions) {
    this.offset = offset
    this.#positions = positions
  }

  /** Begins with another document. */
  begin() {
    this.#at = 0
  }

  /** Its position that is nearest to `target`. Targets rise. */
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

/** Nearness around each place of the rarest word. The words of the title are at `lastTitle` or before. */
const nearnessIn = (rarest: Positions, others: ReadonlyArray<Other>, lastTitle: number): Nearness => {
  let [places, alike, passage] = [0, 0, -1]
  for (let at = 0; at < rarest.count; at++) {
    const position = rarest.values[at] ?? 0
    let moved = 0
    for (const other of others) {
      const target = position + other.offset
      const nearest = other.nearest(target)
      moved += areNear(nearest, position) ? Math.abs(nearest - target) : Number.POSITIVE_INFINITY
    }
    if (moved === Number.POSITIVE_INFINITY) continue
    alike = Math.max(alike, (position <= lastTitle ? 1 : besideTitle) / (1 + moved / others.length))
    const isNamed = position < firstPassage
    if (isNamed || position >>> 8 !== passage) places += isNamed ? namedPlace : 1
    if (!isNamed) passage = position >>> 8
  }
  return { places, alike }
}

/**
 * How near each other the lexemes of a query, at least two, stand in those of the documents (rising) that hold them all. A
 * place is alike if they stand in the order of the query and with its gaps: a word that stands n words elsewhere adds n,
 * and the mean of these n halves it at 1.
 */
export const nearness = (segment: Segment, layout: Phrase, documents: Uint32Array): ReadonlyMap<number, Nearness> => {
  const lexemes = layout.map(({ lexeme }) => lexeme)
  const together = listOf(holdingAll(segment, lexemes, { list: documents }))
  if (together.length === 0) return new Map()
  const lists = layout
    .map(({ lexeme, at }) => ({ term: segment.term(lexeme), at }))
    .toSorted((a, b) => segment.frequency(a.term) - segment.frequency(b.term))
    .map(({ term, at }) => ({ at, positions: new Positions(), ...positionsOf(segment, term, { list: together }) }))
  const [rarest, ...rest] = lists
  if (rarest === undefined) return new Map()
  const others = rest.map(({ at, positions }) => new Other(at - rarest.at, positions))
  const found = new Map<number, Nearness>()
  for (const [i, document] of together.entries()) {
    for (const { positions, bytes, starts } of lists) positions.read(bytes, starts[i] ?? 0)
    for (const other of others) other.begin()
    found.set(document, nearnessIn(rarest.positions, others, segment.lastTitles[document] ?? 0))
  }
  return found
}

import { lowerBound } from "../format/document-set.ts"
import type { Segment } from "../format/segment.ts"
import { firstPassage, passageOf, widestPassage } from "../format/word-positions.ts"
import type { Phrase } from "../types.ts"
import { holds, Positions, positionsOf } from "./skip-lists.ts"

/** How many passages of a document are told at most. */
const most = 12
/** How many that say the words in a row, because only a few of these may say them letter for letter. */
const mostInRow = 64

/** What a passage says of the distinct words of a conjunction. */
interface Told {
  readonly passage: number
  /** How many of the words it does not say. */
  readonly missing: number
  /** How often all of them stand in it as in the query. */
  readonly rows: number
  /** How far apart the first and the last word of the shortest passage with all of them are. */
  readonly span: number
  /** How often it says any of them. */
  readonly times: number
}

/** What says more of the query comes first, and of equals the earlier one. */
const compare = (a: Told, b: Told): number =>
  a.missing - b.missing || b.rows - a.rows || a.span - b.span || b.times - a.times || a.passage - b.passage

/** Where a lexeme is said in a document; rising. */
const saidAt = (segment: Segment, lexeme: string, document: number): Int32Array => {
  const term = segment.term(lexeme)
  if (term < 0 || !holds(segment, term, document)) return new Int32Array(0)
  const { bytes, starts } = positionsOf(segment, term, { list: Uint32Array.of(document) })
  const positions = new Positions()
  const count = positions.read(bytes, starts[0] ?? 0)
  const all = positions.values.subarray(0, count)
  return all.subarray(lowerBound(all, firstPassage, 0))
}

/** A word of the query where it is said: which one of them, by its place in the layout. */
interface Saying {
  readonly word: number
  readonly position: number
}

/** What one passage says of a query of so many words. `beginsRow` tells whether all of them stand in a row from here on. */
const toldIn = (
  passage: number,
  sayings: ReadonlyArray<Saying>,
  words: number,
  beginsRow: (saying: Saying) => boolean
): Told => {
  const last = new Map<number, number>()
  let [rows, span] = [0, 2 * widestPassage]
  for (const saying of sayings) {
    last.set(saying.word, saying.position)
    if (beginsRow(saying)) rows++
    if (last.size === words) span = Math.min(span, saying.position - Math.min(...last.values()))
  }
  return { passage, missing: words - last.size, rows, span, times: sayings.length }
}

/** What each passage of a document that says any of these words says of them. */
const toldOf = (segment: Segment, layout: Phrase, document: number): ReadonlyArray<Told> => {
  const said = layout.map(({ lexeme }) => saidAt(segment, lexeme, document))
  const isSaid = (word: number, position: number): boolean => {
    const positions = said[word] ?? new Int32Array(0)
    return positions[lowerBound(positions, position, 0)] === position
  }
  const beginsRow = ({ word, position }: Saying): boolean =>
    word === 0 &&
    layout.length > 1 &&
    layout.every(({ at }, other) => isSaid(other, position + at - (layout[0]?.at ?? 0)))
  const sayings = said
    .flatMap((positions, word) => Array.from(positions, (position): Saying => ({ word, position })))
    .toSorted((a, b) => a.position - b.position)
  return [...Map.groupBy(sayings, ({ position }) => passageOf(position))].map(([passage, sayings]) =>
    toldIn(passage, sayings, layout.length, beginsRow)
  )
}

/**
 * The passages of a document that say any wanted lexeme, by their places among its passages from 0 on: those that say all
 * words of a conjunction (`layouts`) first, then those that say them in a row, close together, often, and early. Of these the first 12,
 * and up to 64 that say the words in a row. Undefined if the passages cannot be told apart.
 */
export const passagesIn = (
  segment: Segment,
  layouts: ReadonlyArray<Phrase>,
  document: number
): ReadonlyArray<number> | undefined => {
  if (segment.wide[document] === 1) return undefined
  const told = layouts.flatMap((layout) => toldOf(segment, layout, document)).toSorted(compare)
  const inRow = told.filter(({ rows }) => rows > 0).length
  // The best of each passage comes first, and a set keeps the order in which it was filled.
  const passages = [...new Set(told.map(({ passage }) => passage))]
  return passages.slice(0, Math.min(Math.max(inRow, most), mostInRow))
}

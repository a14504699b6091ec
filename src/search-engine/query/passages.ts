import { lowerBound } from "../format/document-set.ts"
import type { Segment } from "../format/segment.ts"
import { firstPassage, nowhere, passageOf, positionInPassage, wide, widestPassage } from "../format/word-positions.ts"
import type { Phrase, SpokenPassage } from "../types.ts"
import { contains, PositionReader, positionLists } from "./skip-lists.ts"

/** The most passages that are returned for a document. */
const mostPassages = 12
/** The most of those with the terms in a row, because only a few of these may have them letter for letter. */
const mostInRow = 64

/** How a passage matches the terms of a conjunction. */
interface PassageMatch {
  readonly passage: number
  /** The number of missing terms. */
  readonly missing: number
  /** The number of places with all terms arranged as in the query. */
  readonly rows: number
  /** The distance between the first and the last word of the shortest window with all terms. */
  readonly window: number
  /** The number of occurrences of any term. */
  readonly occurrences: number
}

/** Better matches first; ties by the earlier passage. */
const compare = (a: PassageMatch, b: PassageMatch): number =>
  a.missing - b.missing ||
  b.rows - a.rows ||
  a.window - b.window ||
  b.occurrences - a.occurrences ||
  a.passage - b.passage

/** A kind of passages: those of the transcript, or printed ones. */
export type PassageKind = keyof typeof wide

/** Where the passages of a kind begin. */
const firstOf = (segment: Segment, kind: PassageKind, document: number): number =>
  kind === "spoken" ? firstPassage : (segment.printedFrom[document] ?? firstPassage)

/** Whether positions do not tell the passages of a kind apart. */
const isWide = (segment: Segment, kind: PassageKind, document: number): boolean =>
  ((segment.wide[document] ?? 0) & wide[kind]) !== 0

/** The positions of a lexeme in the passages of a kind of a document, ascending. */
const positionsOf = (segment: Segment, kind: PassageKind, lexeme: string, document: number): Int32Array => {
  const term = segment.term(lexeme)
  if (term < 0 || !contains(segment, term, document)) return new Int32Array(0)
  const reader = new PositionReader()
  const count = reader.read(positionLists(segment, term, { list: Uint32Array.of(document) }), 0)
  const positions = reader.values.subarray(0, count)
  const from = lowerBound(positions, firstOf(segment, kind, document), 0)
  return positions.subarray(
    from,
    kind === "spoken" ? lowerBound(positions, firstOf(segment, "printed", document), from) : count
  )
}

/**
 * Every passage of a document's transcript with any of these lexemes; undefined if the passages cannot be
 * distinguished.
 */
export const spokenPassages = (
  segment: Segment,
  lexemes: ReadonlyArray<string>,
  document: number
): ReadonlyArray<SpokenPassage> | undefined => {
  if (isWide(segment, "spoken", document)) return undefined
  const passages = new Map<number, Map<string, Array<number>>>()
  for (const lexeme of lexemes) {
    for (const position of positionsOf(segment, "spoken", lexeme, document)) {
      const passage = passageOf(position, firstPassage)
      const positions = passages.get(passage) ?? new Map<string, Array<number>>()
      passages.set(passage, positions)
      const ofLexeme = positions.get(lexeme) ?? []
      positions.set(lexeme, ofLexeme)
      ofLexeme.push(positionInPassage(position))
    }
  }
  return [...passages].map(([passage, positions]) => ({ passage, positions })).toSorted((a, b) => a.passage - b.passage)
}

/** An occurrence of a query term, given by its index in the layout. */
interface Occurrence {
  readonly term: number
  readonly position: number
}

/** Matches one passage with a query of `terms` terms. `beginsRow` tells whether all of them follow in a row. */
const matchPassage = (
  passage: number,
  occurrences: ReadonlyArray<Occurrence>,
  terms: number,
  beginsRow: (occurrence: Occurrence) => boolean
): PassageMatch => {
  const last = new Map<number, number>()
  let [rows, window] = [0, 2 * widestPassage]
  for (const occurrence of occurrences) {
    last.set(occurrence.term, occurrence.position)
    if (beginsRow(occurrence)) rows++
    if (last.size === terms) window = Math.min(window, occurrence.position - Math.min(...last.values()))
  }
  return { passage, missing: terms - last.size, rows, window, occurrences: occurrences.length }
}

/** The passages of a kind of a document with any of these terms. */
const matchPassages = (
  segment: Segment,
  kind: PassageKind,
  layout: Phrase,
  document: number
): ReadonlyArray<PassageMatch> => {
  const first = firstOf(segment, kind, document)
  const positions = layout.map(({ lexeme }) => positionsOf(segment, kind, lexeme, document))
  const isAt = (term: number, position: number): boolean => {
    const ofTerm = positions[term] ?? new Int32Array(0)
    return ofTerm[lowerBound(ofTerm, position, 0)] === position
  }
  const beginsRow = ({ term, position }: Occurrence): boolean =>
    term === 0 &&
    layout.length > 1 &&
    layout.every(({ at }, other) => isAt(other, position + at - (layout[0]?.at ?? 0)))
  const occurrences = positions
    .flatMap((ofTerm, term) => Array.from(ofTerm, (position): Occurrence => ({ term, position })))
    .toSorted((a, b) => a.position - b.position)
  return [...Map.groupBy(occurrences, ({ position }) => passageOf(position, first))].map(([passage, ofPassage]) =>
    matchPassage(passage, ofPassage, layout.length, beginsRow)
  )
}

/**
 * The passages of a kind of a document with any query term, as ordinals from 0: those with all terms of a conjunction
 * (`layouts`)
 * first, then by terms in a row, closeness, frequency, and earliness. The first 12, and up to 64 with the terms in a
 * row. Undefined if the passages cannot be distinguished.
 */
export const bestPassages = (
  segment: Segment,
  kind: PassageKind,
  layouts: ReadonlyArray<Phrase>,
  document: number
): ReadonlyArray<number> | undefined => {
  if (isWide(segment, kind, document)) return undefined
  if (firstOf(segment, kind, document) === nowhere) return []
  const matches = layouts.flatMap((layout) => matchPassages(segment, kind, layout, document)).toSorted(compare)
  const inRow = matches.filter(({ rows }) => rows > 0).length
  // The best match of each passage comes first, and a Set preserves insertion order.
  const passages = [...new Set(matches.map(({ passage }) => passage))]
  return passages.slice(0, Math.min(Math.max(inRow, mostPassages), mostInRow))
}

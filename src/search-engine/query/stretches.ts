import { type DocumentSet, has, intersect, listOf, lowerBound, union } from "../format/document-set.ts"
import { Hits, type Part } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"
import { firstPassage } from "../format/word-positions.ts"
import type { Phrase } from "../types.ts"
import { topByImpact } from "./champion-lists.ts"
import { idfOf } from "./idf.ts"
import { PositionReader, positionLists } from "./skip-lists.ts"

/** The most documents whose positions are read, in each part; those with the greatest impacts, if more could do. */
const mostRead = 4000

/**
 * How many of a query's terms a stretch may lack: of two none, of three one, of six two, and of nine or more a third.
 */
export const mostLacking = (terms: number): number =>
  terms < 3 ? 0 : terms < 6 ? 1 : terms < 9 ? 2 : Math.floor(terms / 3)

/** Words of `named` stand together within this many words more than the query has. */
const namedSlack = 16

/** The distance at which a term counts that is said in the passage before or after. */
const neighborDistance = 12

/** The share of a term's weight that it has wherever it is in the stretch; the rest is for where the query has it. */
const presence = 0.3

/** A query term with its place in the query and its weight. */
interface Term {
  readonly lexeme: string
  readonly at: number
  readonly idf: number
}

/** The place of a document with most of a query's terms, in the order and with the gaps of the query. */
interface Stretch {
  readonly score: number
  /** The terms that it lacks, in the order of the query. */
  readonly missing: ReadonlyArray<string>
}

/** The positions of one term in one document. */
const nearest = (positions: Int32Array, target: number): number => {
  const at = lowerBound(positions, target, 0)
  const [before = Number.NEGATIVE_INFINITY, after = Number.POSITIVE_INFINITY] = [positions[at - 1], positions[at]]
  return target - before <= after - target ? before : after
}

/** How far a term is from its place beside a word at `anchor`; undefined if it is not in the same stretch. */
const displacement = (position: number, anchor: number, target: number, width: number): number | undefined => {
  if (position < firstPassage || anchor < firstPassage) {
    return Math.abs(position - anchor) < width ? Math.abs(position - target) : undefined
  }
  const apart = Math.abs((position >>> 9) - (anchor >>> 9))
  if (apart === 0) return Math.abs(position - target)
  return apart === 1 ? neighborDistance : undefined
}

/**
 * The best stretch around the occurrences of the rarest terms, one of which it must have; undefined if none will do.
 */
const bestIn = (
  terms: ReadonlyArray<Term>,
  positions: ReadonlyArray<Int32Array>,
  most: number
): Stretch | undefined => {
  let best: Stretch | undefined
  const width = (terms.at(-1)?.at ?? 0) + namedSlack
  const rarest = [...terms.keys()].toSorted((a, b) => (terms[b]?.idf ?? 0) - (terms[a]?.idf ?? 0)).slice(0, most + 1)
  for (const of of rarest) {
    for (const anchor of positions[of] ?? []) {
      let score = 0
      const missing: Array<string> = []
      for (const [i, { lexeme, at, idf }] of terms.entries()) {
        const target = anchor + at - (terms[of]?.at ?? 0)
        const away = displacement(nearest(positions[i] ?? new Int32Array(0), target), anchor, target, width)
        if (away === undefined) {
          missing.push(lexeme)
          if (missing.length > most) break
        } else score += idf * (presence + (1 - presence) / (1 + away))
      }
      if (missing.length <= most && score > (best?.score ?? 0)) best = { score, missing }
    }
  }
  return best
}

/** Those of the documents that hold at least `least` of the terms. */
const withMost = (segment: Segment, terms: ReadonlyArray<Term>, among: DocumentSet, least: number): Uint32Array => {
  const documents = listOf(among)
  const counts = new Uint8Array(documents.length)
  for (const { lexeme } of terms) {
    const term = segment.term(lexeme)
    if (term < 0) continue
    const set = segment.setOf(term)
    if ("bits" in set) {
      for (let i = 0; i < documents.length; i++) if (has(set, documents[i] ?? 0)) counts[i] = (counts[i] ?? 0) + 1
    } else {
      for (let i = 0, at = 0; i < documents.length; i++) {
        at = lowerBound(set.list, documents[i] ?? 0, at)
        if (set.list[at] === documents[i]) counts[i] = (counts[i] ?? 0) + 1
      }
    }
  }
  return documents.filter((_, i) => (counts[i] ?? 0) >= least)
}

/** The positions of each term in each of the documents, ascending. */
const positionsOf = (segment: Segment, terms: ReadonlyArray<Term>, documents: Uint32Array) => {
  const reader = new PositionReader()
  return terms.map(({ lexeme }) => {
    const byDocument = new Map<number, Int32Array>()
    const term = segment.term(lexeme)
    if (term < 0) return byDocument
    const holding = listOf(intersect({ list: documents }, segment.setOf(term)))
    const lists = positionLists(segment, term, { list: holding })
    for (const [i, document] of holding.entries()) {
      const count = reader.read(lists, i)
      byDocument.set(document, reader.values.slice(0, count))
    }
    return byDocument
  })
}

/**
 * The best stretch of any of these documents that lacks at most `most` of the terms: words of
 * `named` near each other, or a passage with its neighbors. Undefined if there is none. A stretch that lacks k terms
 * has
 * one of the k + 1 rarest, so no other documents are read.
 */
export const bestStretch = (
  parts: ReadonlyArray<Part>,
  among: ReadonlyArray<Hits>,
  layout: Phrase,
  most: number
): Stretch | undefined => {
  const terms = layout.map(({ lexeme, at }): Term => ({ lexeme, at, idf: idfOf(parts, lexeme) }))
  const rarest = terms.toSorted((a, b) => b.idf - a.idf).slice(0, most + 1)
  let best: Stretch | undefined
  for (const { segment, set } of among) {
    const holding = rarest.map(({ lexeme }): DocumentSet => {
      const term = segment.term(lexeme)
      return term < 0 ? { list: new Uint32Array(0) } : segment.setOf(term)
    })
    const anyRare = holding.reduce((one, other) => union(one, other, segment.documents))
    const likely = withMost(segment, terms, intersect(set, anyRare), terms.length - most)
    const weighted = terms.flatMap(({ lexeme, idf }) => {
      const term = segment.term(lexeme)
      return term < 0 ? [] : [{ term, weight: idf / 255 }]
    })
    const documents =
      likely.length <= mostRead
        ? likely
        : Uint32Array.from(
            topByImpact(new Hits(segment, { list: likely }), weighted, mostRead),
            (one) => one.document
          ).sort()
    const positions = positionsOf(segment, terms, documents)
    for (const document of documents) {
      const ofDocument = positions.map((byDocument) => byDocument.get(document) ?? new Int32Array(0))
      const found = bestIn(terms, ofDocument, most)
      if (found !== undefined && found.score > (best?.score ?? 0)) best = found
    }
  }
  return best
}

import { type DocumentSet, documentsAt, intersect, unite } from "../format/document-set.ts"
import { Lru } from "../format/lru.ts"
import { Hits } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"
import { impactsIn, type Weighed } from "./impacts.ts"
import { Best, type Scored } from "./top-k.ts"

/** A term of a segment, and what one of its impacts counts for. */
export interface Weight {
  readonly term: number
  readonly weight: number
}

/** The documents in which a term counts the most, and the greatest impact that it has in any other. */
export interface Strong {
  readonly documents: DocumentSet
  readonly rest: number
}

/** Of a dense term, no more than this part of its documents. */
const strongShare = 1 / 8

/** What is kept of the dense terms of each segment, at most: at a million meetings, 130 of them. */
const keptBytes = 16 << 20
const kept = new WeakMap<Segment, Lru<Strong>>()

/** Below so many times as many documents as are wanted, to look at all of them costs no more. */
const worthwhile = 16

/** The greatest impact that more than the share have, so that no more than the share are above it. */
const restOf = (impacts: Uint8Array): number => {
  const counts = new Uint32Array(256)
  for (let posting = 0; posting < impacts.length; posting++) {
    const impact = impacts[posting] ?? 0
    counts[impact] = (counts[impact] ?? 0) + 1
  }
  let rest = counts.length - 1
  for (let above = counts[rest] ?? 0; above <= impacts.length * strongShare; above += counts[rest] ?? 0) rest--
  return rest
}

const madeOf = (segment: Segment, term: number): Strong => {
  const [held, impacts] = [segment.bitsOf(term), segment.piece("impact", term)]
  const rest = restOf(impacts)
  const bits = new Uint32Array(held.length)
  for (let at = 0, posting = 0; at < held.length; at++) {
    let strong = 0
    for (let word = (held[at] ?? 0) | 0; word !== 0; word &= word - 1) {
      if ((impacts[posting++] ?? 0) > rest) strong |= word & (0 - word)
    }
    bits[at] = strong
  }
  return { documents: { bits }, rest }
}

/** Those of a dense term are made once and kept, as a segment does not change. Of any other term, they are all it has. */
export const strongOf = (segment: Segment, term: number): Strong => {
  if (!segment.isDense(term)) return { documents: segment.setOf(term), rest: 0 }
  const ofSegment = kept.get(segment) ?? new Lru<Strong>(keptBytes)
  kept.set(segment, ofSegment)
  const known = ofSegment.get(`${term}`)
  if (known !== undefined) return known
  const made = madeOf(segment, term)
  ofSegment.set(`${term}`, made, segment.documents / 8)
  return made
}

/** What each of some documents scores by the impacts of some terms. */
export const weighed = ({ segment, set, size }: Hits, terms: ReadonlyArray<Weight>): ReadonlyArray<Weighed> =>
  terms.map(({ term, weight }) => ({ weight, impacts: impactsIn(segment, term, set, size) }))

/** What scores no more than `floor` is not among the best so many, which can be told then. */
const offered = (hits: Hits, terms: ReadonlyArray<Weight>, most: number) => {
  const { segment, set, size } = hits
  const best = new Best(most)
  best.offerAll(weighed(hits, terms), size)
  return { floor: best.floor, drained: () => best.drain(segment, (places) => documentsAt(set, places)) }
}

/**
 * The best so many of a part's documents by the sum of their weighed impacts, or all if they are fewer, better first. Of many
 * documents, those are looked at first in which some term is strong. Any other scores no more than the sum of what the terms
 * count for at most where they are not: if the worst of the best is above that, no other is among them (the bound of
 * MaxScore: Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).
 */
export const bestOf = (hits: Hits, terms: ReadonlyArray<Weight>, most: number): ReadonlyArray<Scored> => {
  const { segment, set, size } = hits
  if (terms.length > 0 && size > worthwhile * most) {
    const strong = terms.map(({ term, weight }) => ({ ...strongOf(segment, term), weight }))
    const bound = strong.reduce((sum, { rest, weight }) => sum + weight * rest, 0)
    const any = strong.map(({ documents }) => documents).reduce((a, b) => unite(a, b, segment.documents))
    const { floor, drained } = offered(new Hits(segment, intersect(set, any)), terms, most)
    if (floor > bound) return drained()
  }
  return offered(hits, terms, Math.min(most, size)).drained()
}

import { type DocumentSet, sizeOf } from "./document-set.ts"
import type { Segment } from "./segment.ts"

/** A segment with its live documents: those that have been neither replaced nor removed. Immutable. */
export interface Part {
  readonly segment: Segment
  /** A bitset of the live documents. */
  readonly live: Uint32Array
  /** The number of documents that are not live. */
  readonly deleted: number
}

/** Some documents of a segment. */
export interface SegmentDocuments {
  readonly segment: Segment
  readonly set: DocumentSet
}

/** The documents of one part that match a query; their number is counted once. */
export class Hits implements SegmentDocuments {
  readonly segment: Segment
  readonly set: DocumentSet
  #size: number | undefined

  constructor(segment: Segment, set: DocumentSet, size?: number) {
    this.segment = segment
    this.set = set
    this.#size = size
  }

  get size(): number {
    this.#size ??= sizeOf(this.set)
    return this.#size
  }
}

/** Negative if document `i` of `a` is older than document `j` of `b`: by day, and on one day by the greater id. */
export const compareAge = (a: Segment, i: number, b: Segment, j: number): number => {
  const days = (a.days[i] ?? 0) - (b.days[j] ?? 0)
  return days === 0 ? compareIds(b, j, a, i) : days
}

export const compareIds = (a: Segment, i: number, b: Segment, j: number): number => {
  for (let byte = 0; byte < 16; byte++) {
    const difference = (a.ids[i * 16 + byte] ?? 0) - (b.ids[j * 16 + byte] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

import { type DocumentSet, sizeOf } from "./document-set.ts"
import type { Segment } from "./segment.ts"

/** A segment with those of its documents that have not been replaced or removed. Never changed in place. */
export interface Part {
  readonly segment: Segment
  /** A bitset of the living documents. */
  readonly living: Uint32Array
  /** How many documents are not in it. */
  readonly dead: number
}

/** Some documents of a segment. */
export interface Documents {
  readonly segment: Segment
  readonly set: DocumentSet
}

/** The documents of one part that fit a query, counted once. */
export class Hits implements Documents {
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

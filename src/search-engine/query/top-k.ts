import { compareAge } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"
import { scoreAt, type WeightedImpacts } from "./impacts.ts"

/** A document with its score. */
export interface ScoredDocument {
  readonly segment: Segment
  readonly document: number
  readonly score: number
}

/** Best first; ties by newest. */
export const compareScores = (a: ScoredDocument, b: ScoredDocument): number =>
  b.score - a.score || compareAge(b.segment, b.document, a.segment, a.document)

/**
 * The best k documents of one segment, each given by its number or by its ordinal in a set; ties go to the greater,
 * which is newer. A binary heap whose root is the worst of them.
 */
export class TopK {
  readonly #k: number
  #count = 0
  readonly #ordinals: Uint32Array
  readonly #scores: Float64Array

  constructor(k: number) {
    this.#k = k
    this.#ordinals = new Uint32Array(k)
    this.#scores = new Float64Array(k)
  }

  /** The lowest score once there are k: a document that scores no more does not enter. */
  get threshold(): number {
    return this.#count < this.#k ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? Number.POSITIVE_INFINITY)
  }

  /** Ordinals descend from one offer to the next, so a later tie does not enter. */
  offer(ordinal: number, score: number) {
    if (this.#count < this.#k) this.#siftUp(this.#count++, ordinal, score)
    else if (score > this.threshold) this.#siftDown(ordinal, score)
  }

  /**
   * Offers all documents of a set of that size. Optimized for one or two terms, and for documents that do not enter, as
   * is usual.
   */
  offerAll(terms: ReadonlyArray<WeightedImpacts>, size: number) {
    const [first, second, ...others] = terms
    let threshold = this.threshold
    if (first !== undefined && second === undefined) {
      const { weight, impacts } = first
      for (let ordinal = size - 1; ordinal >= 0; ordinal--) {
        const score = weight * (impacts[ordinal] ?? 0)
        if (score > threshold) threshold = this.#enter(ordinal, score)
      }
    } else if (first !== undefined && second !== undefined && others.length === 0) {
      const [{ weight: a, impacts: ofA }, { weight: b, impacts: ofB }] = [first, second]
      for (let ordinal = size - 1; ordinal >= 0; ordinal--) {
        const score = a * (ofA[ordinal] ?? 0) + b * (ofB[ordinal] ?? 0)
        if (score > threshold) threshold = this.#enter(ordinal, score)
      }
    } else {
      for (let ordinal = size - 1; ordinal >= 0; ordinal--) {
        const score = scoreAt(terms, ordinal)
        if (score > threshold) threshold = this.#enter(ordinal, score)
      }
    }
  }

  /** Returns the new threshold. */
  #enter(ordinal: number, score: number): number {
    this.offer(ordinal, score)
    return this.threshold
  }

  /** Removes and returns the entries, best first; `toDocuments` maps ordinals to documents. */
  drain(segment: Segment, toDocuments: (ordinals: Uint32Array) => Uint32Array): ReadonlyArray<ScoredDocument> {
    const [ordinals, scores] = [new Uint32Array(this.#count), new Float64Array(this.#count)]
    while (this.#count > 0) {
      const last = --this.#count
      ordinals[last] = this.#ordinals[0] ?? 0
      scores[last] = this.#scores[0] ?? 0
      this.#siftDown(this.#ordinals[last] ?? 0, this.#scores[last] ?? 0)
    }
    return Array.from(toDocuments(ordinals), (document, i) => ({ segment, document, score: scores[i] ?? 0 }))
  }

  /** Whether the entry at a heap index is worse than this. */
  #isWorse(at: number, ordinal: number, score: number): boolean {
    const difference = (this.#scores[at] ?? 0) - score
    return difference === 0 ? (this.#ordinals[at] ?? 0) < ordinal : difference < 0
  }

  #put(at: number, ordinal: number, score: number) {
    this.#ordinals[at] = ordinal
    this.#scores[at] = score
  }

  /** Adds an entry at the end of the heap. */
  #siftUp(end: number, ordinal: number, score: number) {
    let at = end
    for (let parent = (at - 1) >>> 1; at > 0; parent = (at - 1) >>> 1) {
      if (this.#isWorse(parent, ordinal, score)) break
      this.#put(at, this.#ordinals[parent] ?? 0, this.#scores[parent] ?? 0)
      at = parent
    }
    this.#put(at, ordinal, score)
  }

  /** Replaces the root. */
  #siftDown(ordinal: number, score: number) {
    let at = 0
    for (let child = 1; child < this.#count; child = 2 * at + 1) {
      const right = child + 1
      const isRight = right < this.#count && this.#isWorse(right, this.#ordinals[child] ?? 0, this.#scores[child] ?? 0)
      const worse = isRight ? right : child
      if (!this.#isWorse(worse, ordinal, score)) break
      this.#put(at, this.#ordinals[worse] ?? 0, this.#scores[worse] ?? 0)
      at = worse
    }
    this.#put(at, ordinal, score)
  }
}

/** Merges rankings, each best first; the entries from one rank up to but not including another. */
export const mergeRanked = (
  rankings: ReadonlyArray<ReadonlyArray<ScoredDocument>>,
  from: number,
  to: number
): ReadonlyArray<ScoredDocument> => {
  const merged: Array<ScoredDocument> = []
  const heads = rankings.filter(({ length }) => length > 0).map((ranking) => ({ ranking, at: 0 }))
  for (let n = 0; n < to && heads.length > 0; n++) {
    let best: ScoredDocument | undefined
    let first = 0
    for (const [i, { ranking, at }] of heads.entries()) {
      const head = ranking[at]
      if (head !== undefined && (best === undefined || compareScores(head, best) < 0)) [best, first] = [head, i]
    }
    if (best !== undefined && n >= from) merged.push(best)
    const head = heads[first]
    if (head !== undefined && ++head.at === head.ranking.length) heads.splice(first, 1)
  }
  return merged
}

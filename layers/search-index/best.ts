import { bitCount, noDocuments } from "./document-set.ts"
import { compareAge, type Hits } from "./part.ts"
import type { Segment } from "./segment.ts"

/** A document with its score. */
export interface Scored {
  readonly segment: Segment
  readonly document: number
  readonly score: number
}

/** Better first; among equals the newest. */
export const compareScores = (a: Scored, b: Scored): number =>
  b.score - a.score || compareAge(b.segment, b.document, a.segment, a.document)

/** The best so many of the documents that are offered to it: a heap whose root is the worst of them. */
export class Best {
  /** What scores less does not enter. */
  floor = Number.NEGATIVE_INFINITY
  readonly #hits: ReadonlyArray<Hits>
  readonly #size: number
  #count = 0
  // By place in the heap: among which hits the document is, its number, and its score.
  readonly #among: Uint16Array
  readonly #documents: Uint32Array
  readonly #scores: Float32Array

  constructor(hits: ReadonlyArray<Hits>, size: number) {
    this.#hits = hits
    this.#size = size
    this.#among = new Uint16Array(size)
    this.#documents = new Uint32Array(size)
    this.#scores = new Float32Array(size)
  }

  /** `among` is the place of the document's segment among the hits. */
  offer(among: number, document: number, score: number) {
    if (this.#count < this.#size) this.#rise(this.#count++, among, document, score)
    else if (this.#isWorse(0, among, document, score)) this.#sink(among, document, score)
    if (this.#count === this.#size) this.floor = this.#scores[0] ?? this.floor
  }

  /** All documents of a segment's set with their scores, the newest first: an equal that comes later does not enter. */
  offerAll(among: number, scores: Float32Array) {
    const set = this.#hits[among]?.set ?? noDocuments
    // Of the first segment every equal comes later, and of most words of bits no document enters.
    const enters = among === 0 ? (score: number) => score > this.floor : (score: number) => score >= this.floor
    let at = scores.length
    if ("list" in set) {
      while (at-- > 0) {
        const score = scores[at] ?? 0
        if (enters(score)) this.offer(among, set.list[at] ?? 0, score)
      }
      return
    }
    for (let i = set.bits.length - 1; i >= 0; i--) {
      const word = set.bits[i] ?? 0
      const first = at - bitCount(word)
      let isAny = false
      for (let one = first; one < at; one++) isAny ||= enters(scores[one] ?? 0)
      for (let left = isAny ? word : 0; left !== 0; ) {
        const bit = 31 - Math.clz32(left)
        left &= ~(1 << bit)
        const score = scores[--at] ?? 0
        if (enters(score)) this.offer(among, (i << 5) + bit, score)
      }
      at = first
    }
  }

  /** Takes out what has entered, better first, and leaves the best `spared`. */
  drain(spared = 0): ReadonlyArray<Scored> {
    const drained: Array<Scored> = []
    while (this.#count > spared) {
      const segment = this.#hits[this.#among[0] ?? 0]?.segment
      if (segment !== undefined)
        drained.push({ segment, document: this.#documents[0] ?? 0, score: this.#scores[0] ?? 0 })
      const last = --this.#count
      this.#sink(this.#among[last] ?? 0, this.#documents[last] ?? 0, this.#scores[last] ?? 0)
    }
    return drained.reverse()
  }

  /** Whether what stands at a place is worse than this document. */
  #isWorse(at: number, among: number, document: number, score: number): boolean {
    const difference = (this.#scores[at] ?? 0) - score
    if (difference !== 0) return difference < 0
    const [own, other] = [this.#among[at] ?? 0, among]
    const ownDocument = this.#documents[at] ?? 0
    if (own === other) return ownDocument < document
    const [a, b] = [this.#hits[own]?.segment, this.#hits[other]?.segment]
    return a !== undefined && b !== undefined && compareAge(a, ownDocument, b, document) < 0
  }

  #put(at: number, among: number, document: number, score: number) {
    this.#among[at] = among
    this.#documents[at] = document
    this.#scores[at] = score
  }

  #move(from: number, to: number) {
    this.#put(to, this.#among[from] ?? 0, this.#documents[from] ?? 0, this.#scores[from] ?? 0)
  }

  /** Puts a document at the end of the heap, or nearer to the root. */
  #rise(end: number, among: number, document: number, score: number) {
    let at = end
    for (let parent = (at - 1) >>> 1; at > 0; parent = (at - 1) >>> 1) {
      if (this.#isWorse(parent, among, document, score)) break
      this.#move(parent, at)
      at = parent
    }
    this.#put(at, among, document, score)
  }

  /** Puts a document in the place of the root, or further from it. */
  #sink(among: number, document: number, score: number) {
    let at = 0
    for (let child = 1; child < this.#count; child = 2 * at + 1) {
      const right = child + 1
      const isRight =
        right < this.#count &&
        this.#isWorse(right, this.#among[child] ?? 0, this.#documents[child] ?? 0, this.#scores[child] ?? 0)
      const worse = isRight ? right : child
      if (!this.#isWorse(worse, among, document, score)) break
      this.#move(worse, at)
      at = worse
    }
    this.#put(at, among, document, score)
  }
}

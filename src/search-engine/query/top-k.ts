import { compareAge } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"
import { scoreAt, type Weighed } from "./impacts.ts"

/** A document with its score. */
export interface Scored {
  readonly segment: Segment
  readonly document: number
  readonly score: number
}

/** Better first; among equals the newest. */
export const compareScores = (a: Scored, b: Scored): number =>
  b.score - a.score || compareAge(b.segment, b.document, a.segment, a.document)

/**
 * The best so many of the documents of one segment, each told by its number or by its place in a set: of equals the
 * greater, which are newer. A heap whose root is the worst of them.
 */
export class Best {
  readonly #size: number
  #count = 0
  readonly #places: Uint32Array
  readonly #scores: Float64Array

  constructor(size: number) {
    this.#size = size
    this.#places = new Uint32Array(size)
    this.#scores = new Float64Array(size)
  }

  /** What scores no more does not enter, once it is full. */
  get floor(): number {
    return this.#count < this.#size ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? Number.POSITIVE_INFINITY)
  }

  /** Places fall from one offer to the next, so an equal that comes later does not enter. */
  offer(place: number, score: number) {
    if (this.#count < this.#size) this.#rise(this.#count++, place, score)
    else if (score > this.floor) this.#sink(place, score)
  }

  /** All so many documents of a set. Most queries have one word or two, and most documents do not enter. */
  offerAll(terms: ReadonlyArray<Weighed>, documents: number) {
    const [first, second, ...others] = terms
    let floor = this.floor
    if (first !== undefined && second === undefined) {
      const { weight, impacts } = first
      for (let place = documents - 1; place >= 0; place--) {
        const score = weight * (impacts[place] ?? 0)
        if (score > floor) floor = this.#entered(place, score)
      }
    } else if (first !== undefined && second !== undefined && others.length === 0) {
      const [{ weight: a, impacts: ofA }, { weight: b, impacts: ofB }] = [first, second]
      for (let place = documents - 1; place >= 0; place--) {
        const score = a * (ofA[place] ?? 0) + b * (ofB[place] ?? 0)
        if (score > floor) floor = this.#entered(place, score)
      }
    } else {
      for (let place = documents - 1; place >= 0; place--) {
        const score = scoreAt(terms, place)
        if (score > floor) floor = this.#entered(place, score)
      }
    }
  }

  /** What scores no more does not enter from now on. */
  #entered(place: number, score: number): number {
    this.offer(place, score)
    return this.floor
  }

  /** Takes out what has entered, better first; `documentsAt` are the documents at places. */
  drain(segment: Segment, documentsAt: (places: Uint32Array) => Uint32Array): ReadonlyArray<Scored> {
    const [places, scores] = [new Uint32Array(this.#count), new Float64Array(this.#count)]
    while (this.#count > 0) {
      const last = --this.#count
      places[last] = this.#places[0] ?? 0
      scores[last] = this.#scores[0] ?? 0
      this.#sink(this.#places[last] ?? 0, this.#scores[last] ?? 0)
    }
    return Array.from(documentsAt(places), (document, i) => ({ segment, document, score: scores[i] ?? 0 }))
  }

  /** Whether what stands at a place of the heap is worse than this. */
  #isWorse(at: number, place: number, score: number): boolean {
    const difference = (this.#scores[at] ?? 0) - score
    return difference === 0 ? (this.#places[at] ?? 0) < place : difference < 0
  }

  #put(at: number, place: number, score: number) {
    this.#places[at] = place
    this.#scores[at] = score
  }

  /** Puts this at the end of the heap, or nearer to the root. */
  #rise(end: number, place: number, score: number) {
    let at = end
    for (let parent = (at - 1) >>> 1; at > 0; parent = (at - 1) >>> 1) {
      if (this.#isWorse(parent, place, score)) break
      this.#put(at, this.#places[parent] ?? 0, this.#scores[parent] ?? 0)
      at = parent
    }
    this.#put(at, place, score)
  }

  /** Puts this in the place of the root, or further from it. */
  #sink(place: number, score: number) {
    let at = 0
    for (let child = 1; child < this.#count; child = 2 * at + 1) {
      const right = child + 1
      const isRight = right < this.#count && this.#isWorse(right, this.#places[child] ?? 0, this.#scores[child] ?? 0)
      const worse = isRight ? right : child
      if (!this.#isWorse(worse, place, score)) break
      this.#put(at, this.#places[worse] ?? 0, this.#scores[worse] ?? 0)
      at = worse
    }
    this.#put(at, place, score)
  }
}

/** The best of several parts together, of which each has its own in order: those from one place up to another. */
export const merged = (
  parts: ReadonlyArray<ReadonlyArray<Scored>>,
  from: number,
  to: number
): ReadonlyArray<Scored> => {
  const together: Array<Scored> = []
  const heads = parts.filter(({ length }) => length > 0).map((part) => ({ part, at: 0 }))
  for (let n = 0; n < to && heads.length > 0; n++) {
    let best: Scored | undefined
    let first = 0
    for (const [i, { part, at }] of heads.entries()) {
      const head = part[at]
      if (head !== undefined && (best === undefined || compareScores(head, best) < 0)) [best, first] = [head, i]
    }
    if (best !== undefined && n >= from) together.push(best)
    const head = heads[first]
    if (head !== undefined && ++head.at === head.part.length) heads.splice(first, 1)
  }
  return together
}

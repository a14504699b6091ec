import { bitCount, type DocumentSet, hasBit, intersect, listOf } from "./document-set.ts"
import { isFew, ordinalsOf } from "./postings.ts"
import type { Segment } from "./segment.ts"

/** What a term adds to the scores of a set: the i-th score is that of the set's i-th document. */
class Adding {
  readonly #impacts: Uint8Array
  readonly #weight: number
  readonly #scores: Float32Array

  constructor(impacts: Uint8Array, weight: number, scores: Float32Array) {
    this.#impacts = impacts
    this.#weight = weight
    this.#scores = scores
  }

  /** To the score at `at`, from the posting `posting`. A score is rounded each time to what a Float32Array holds. */
  add(at: number, posting: number) {
    this.#scores[at] = (this.#scores[at] ?? 0) + this.#weight * (this.#impacts[posting] ?? 0)
  }

  /** How many bits come before a word of either is where the scores and the postings of that word begin. */
  bitsToBits(set: Uint32Array, term: Uint32Array) {
    for (let word = 0, at = 0, posting = 0; word < set.length; word++) {
      const [wanted, held] = [set[word] ?? 0, term[word] ?? 0]
      const [ofSet, ofTerm] = [bitCount(wanted), bitCount(held)]
      if (wanted === held) for (let n = 0; n < ofSet; n++) this.add(at + n, posting + n)
      else {
        for (let both = wanted & held; both !== 0; both &= both - 1) {
          const below = (both & -both) - 1
          this.add(at + bitCount(wanted & below), posting + bitCount(held & below))
        }
      }
      at += ofSet
      posting += ofTerm
    }
  }

  listToBits(set: Uint32Array, term: Uint32Array) {
    for (let posting = 0, word = 0, at = 0; posting < term.length; posting++) {
      const document = term[posting] ?? 0
      for (; word < document >>> 5; word++) at += bitCount(set[word] ?? 0)
      if (hasBit(set, document)) this.add(at + bitCount((set[word] ?? 0) & ((1 << (document & 31)) - 1)), posting)
    }
  }

  bitsToList(set: Uint32Array, term: Uint32Array) {
    for (let at = 0, word = 0, posting = 0; at < set.length; at++) {
      const document = set[at] ?? 0
      for (; word < document >>> 5; word++) posting += bitCount(term[word] ?? 0)
      if (hasBit(term, document)) this.add(at, posting + bitCount((term[word] ?? 0) & ((1 << (document & 31)) - 1)))
    }
  }

  /** `ordinals` are the postings of the term's documents, where these are not all of them. */
  listToList(set: Uint32Array, term: Uint32Array, ordinals?: Uint32Array) {
    for (let at = 0, n = 0; n < term.length; n++) {
      const document = term[n] ?? 0
      while ((set[at] ?? document) < document) at++
      if (set[at] === document) this.add(at, ordinals === undefined ? n : (ordinals[n] ?? 0))
    }
  }
}

/**
 * Adds `weight` times the impact of a term to the scores of those documents of a set that hold it: the i-th score is that of
 * the i-th document of the set.
 */
export const addImpact = (segment: Segment, term: number, set: DocumentSet, weight: number, scores: Float32Array) => {
  const adding = new Adding(segment.piece("impact", term), weight, scores)
  if ("bits" in set) {
    if (segment.isDense(term)) adding.bitsToBits(set.bits, segment.bitsOf(term))
    else adding.listToBits(set.bits, segment.listOf(term))
  } else if (isFew(segment, term, set.list.length)) {
    const documents = listOf(intersect(set, segment.setOf(term)))
    adding.listToList(set.list, documents, ordinalsOf(segment, term, documents))
  } else if (segment.isDense(term)) adding.bitsToList(set.list, segment.bitsOf(term))
  else adding.listToList(set.list, segment.listOf(term))
}

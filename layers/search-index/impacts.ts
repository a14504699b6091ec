import { bitCount, type DocumentSet, hasBit, intersect, listOf } from "./document-set.ts"
import { isFew, ordinalsOf } from "./postings.ts"
import type { Segment } from "./segment.ts"

/** Scores, what is added to them for one impact, and the impact of each posting. */
interface Adding {
  readonly scores: Float32Array
  readonly weight: number
  readonly impacts: Uint8Array
}

// A score is rounded each time to what a Float32Array holds.

const addRun = ({ scores, weight, impacts }: Adding, at: number, posting: number, length: number) => {
  for (let n = 0; n < length; n++) scores[at + n] = (scores[at + n] ?? 0) + weight * (impacts[posting + n] ?? 0)
}

/**
 * How many bits come before a word of either is where the scores and the postings of that word begin. Words are read as
 * signed numbers, which V8 keeps out of the heap.
 */
const bitsToBits = (adding: Adding, set: Uint32Array, term: Uint32Array) => {
  const { scores, weight, impacts } = adding
  let at = 0
  let posting = 0
  let run = 0
  for (let word = 0; word < set.length; word++) {
    const wanted = (set[word] ?? 0) | 0
    const held = (term[word] ?? 0) | 0
    const ofSet = bitCount(wanted)
    const ofTerm = bitCount(held)
    if (wanted === held) run += ofSet
    else {
      addRun(adding, at - run, posting - run, run)
      run = 0
      const first = wanted & held
      for (let both = first, n = 0; both !== 0; both &= both - 1, n++) {
        const below = (both & -both) - 1
        const to = at + (first === wanted ? n : bitCount(wanted & below))
        const from = posting + (first === held ? n : bitCount(held & below))
        scores[to] = (scores[to] ?? 0) + weight * (impacts[from] ?? 0)
      }
    }
    at += ofSet
    posting += ofTerm
  }
  addRun(adding, at - run, posting - run, run)
}

/** Visits the numbers of a list that have a bit: where each is in the list, and how many bits come before it. */
const eachShared = (list: Uint32Array, bits: Uint32Array, visit: (inList: number, inBits: number) => void) => {
  for (let at = 0, word = 0, before = 0; at < list.length; at++) {
    const document = list[at] ?? 0
    for (; word < document >>> 5; word++) before += bitCount(bits[word] ?? 0)
    if (hasBit(bits, document)) visit(at, before + bitCount((bits[word] ?? 0) & ((1 << (document & 31)) - 1)))
  }
}

const listToBits = ({ scores, weight, impacts }: Adding, set: Uint32Array, term: Uint32Array) =>
  eachShared(term, set, (posting, at) => {
    scores[at] = (scores[at] ?? 0) + weight * (impacts[posting] ?? 0)
  })

const bitsToList = ({ scores, weight, impacts }: Adding, set: Uint32Array, term: Uint32Array) =>
  eachShared(set, term, (at, posting) => {
    scores[at] = (scores[at] ?? 0) + weight * (impacts[posting] ?? 0)
  })

/** `ordinals` are the postings of the documents, where these are not all of the term. */
const listToList = (
  { scores, weight, impacts }: Adding,
  set: Uint32Array,
  documents: Uint32Array,
  ordinals?: Uint32Array
) => {
  for (let n = 0, at = 0; n < documents.length; n++) {
    const document = documents[n] ?? 0
    while ((set[at] ?? document) < document) at++
    if (set[at] !== document) continue
    scores[at] = (scores[at] ?? 0) + weight * (impacts[ordinals === undefined ? n : (ordinals[n] ?? 0)] ?? 0)
  }
}

/**
 * Adds `weight` times the impact of a term to the scores of those documents of a set that hold it: the i-th score is that of
 * the i-th document of the set.
 */
export const addImpact = (segment: Segment, term: number, set: DocumentSet, weight: number, scores: Float32Array) => {
  const adding = { scores, weight, impacts: segment.piece("impact", term) }
  if ("bits" in set) {
    if (segment.isDense(term)) bitsToBits(adding, set.bits, segment.bitsOf(term))
    else listToBits(adding, set.bits, segment.listOf(term))
  } else if (isFew(segment, term, set.list.length)) {
    const documents = listOf(intersect(set, segment.setOf(term)))
    listToList(adding, set.list, documents, ordinalsOf(segment, term, documents))
  } else if (segment.isDense(term)) bitsToList(adding, set.list, segment.bitsOf(term))
  else listToList(adding, set.list, segment.listOf(term))
}

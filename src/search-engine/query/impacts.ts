import { scratchBytes } from "../format/arena.ts"
import { bitCount, type DocumentSet, hasBit, intersect, listOf } from "../format/document-set.ts"
import type { Segment } from "../format/segment.ts"
import { isSelective, postingOrdinals } from "./skip-lists.ts"

/** Copies the impacts of a term's postings to `into`, indexed by the documents of a set. */
interface Gather {
  readonly impacts: Uint8Array
  readonly into: Uint8Array
}

/** Up to this length, a loop costs less than a call that copies. */
const shortRun = 16

const copyRun = ({ impacts, into }: Gather, at: number, posting: number, length: number) => {
  if (length > shortRun) into.set(impacts.subarray(posting, posting + length), at)
  else for (let n = 0; n < length; n++) into[at + n] = impacts[posting + n] ?? 0
}

/** The bits below the lowest that is set. Subtracted from 0, because V8 multiplies to negate. */
const below = (word: number): number => (word & (0 - word)) - 1

/**
 * Both are bitsets: the bits before a word of the set count the ordinals before it, those before a word of the term
 * count the postings. Words are read as signed numbers, which V8 keeps out of the heap.
 */
const bitsToBits = (gather: Gather, set: Uint32Array, term: Uint32Array) => {
  const { impacts, into } = gather
  let at = 0
  let posting = 0
  let run = 0
  for (let word = 0; word < set.length; word++) {
    const setWord = (set[word] ?? 0) | 0
    const termWord = (term[word] ?? 0) | 0
    const ofSet = bitCount(setWord)
    const ofTerm = bitCount(termWord)
    if (setWord === termWord) run += ofSet
    else {
      copyRun(gather, at - run, posting - run, run)
      run = 0
      const both = setWord & termWord
      if (both === setWord) {
        for (let rest = both, to = at; rest !== 0; rest &= rest - 1) {
          into[to++] = impacts[posting + bitCount(termWord & below(rest))] ?? 0
        }
      } else if (both === termWord) {
        for (let rest = both, from = posting; rest !== 0; rest &= rest - 1) {
          into[at + bitCount(setWord & below(rest))] = impacts[from++] ?? 0
        }
      } else {
        for (let rest = both; rest !== 0; rest &= rest - 1) {
          into[at + bitCount(setWord & below(rest))] = impacts[posting + bitCount(termWord & below(rest))] ?? 0
        }
      }
    }
    at += ofSet
    posting += ofTerm
  }
  copyRun(gather, at - run, posting - run, run)
}

/** Visits the members of a list whose bit is set: the index of each in the list, and the number of bits before it. */
const forEachShared = (list: Uint32Array, bits: Uint32Array, visit: (inList: number, inBits: number) => void) => {
  for (let at = 0, word = 0, before = 0; at < list.length; at++) {
    const document = list[at] ?? 0
    for (; word < document >>> 5; word++) before += bitCount(bits[word] ?? 0)
    if (hasBit(bits, document)) visit(at, before + bitCount((bits[word] ?? 0) & ((1 << (document & 31)) - 1)))
  }
}

const listToBits = ({ impacts, into }: Gather, set: Uint32Array, term: Uint32Array) =>
  forEachShared(term, set, (posting, at) => {
    into[at] = impacts[posting] ?? 0
  })

const bitsToList = ({ impacts, into }: Gather, set: Uint32Array, term: Uint32Array) =>
  forEachShared(set, term, (at, posting) => {
    into[at] = impacts[posting] ?? 0
  })

/** `ordinals` are the postings of the documents, unless these are all of the term's. */
const listToList = ({ impacts, into }: Gather, set: Uint32Array, documents: Uint32Array, ordinals?: Uint32Array) => {
  for (let n = 0, at = 0; n < documents.length; n++) {
    const document = documents[n] ?? 0
    while ((set[at] ?? document) < document) at++
    if (set[at] !== document) continue
    into[at] = impacts[ordinals === undefined ? n : (ordinals[n] ?? 0)] ?? 0
  }
}

/** The impact of a term in each of the `size` documents of a set; 0 for a document without it. */
export const gatherImpacts = (segment: Segment, term: number, set: DocumentSet, size: number): Uint8Array => {
  const gather = { impacts: segment.piece("impact", term), into: scratchBytes(size).fill(0) }
  if ("bits" in set) {
    if (segment.isDense(term)) bitsToBits(gather, set.bits, segment.bitsOf(term))
    else listToBits(gather, set.bits, segment.listOf(term))
  } else if (isSelective(segment, term, set.list.length)) {
    const documents = listOf(intersect(set, segment.setOf(term)))
    listToList(gather, set.list, documents, postingOrdinals(segment, term, documents))
  } else if (segment.isDense(term)) bitsToList(gather, set.list, segment.bitsOf(term))
  else listToList(gather, set.list, segment.listOf(term))
  return gather.into
}

/** A term's impacts in the documents of a set, with the factor from impact to score. */
export interface WeightedImpacts {
  readonly weight: number
  readonly impacts: Uint8Array
}

/** The score of the document at an ordinal of the set. */
export const scoreAt = (terms: ReadonlyArray<WeightedImpacts>, ordinal: number): number => {
  let score = 0
  for (const { weight, impacts } of terms) score += weight * (impacts[ordinal] ?? 0)
  return score
}

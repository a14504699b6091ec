import { someBytes } from "../format/arena.ts"
import { bitCount, type DocumentSet, hasBit, intersect, listOf } from "../format/document-set.ts"
import type { Segment } from "../format/segment.ts"
import { isFew, ordinalsOf } from "./skip-lists.ts"

/** The impact of each posting of a term, and where those of a set's documents are put: the i-th is that of its i-th document. */
interface Gathering {
  readonly impacts: Uint8Array
  readonly into: Uint8Array
}

/** A copy of so many costs more to begin than a loop takes. */
const shortRun = 16

const copyRun = ({ impacts, into }: Gathering, at: number, posting: number, length: number) => {
  if (length > shortRun) into.set(impacts.subarray(posting, posting + length), at)
  else for (let n = 0; n < length; n++) into[at + n] = impacts[posting + n] ?? 0
}

/** The bits below the lowest that is set. Subtracted from 0, because V8 multiplies to negate. */
const below = (word: number): number => (word & (0 - word)) - 1

/**
 * How many bits come before a word of either is where the places of the set and the postings of that word begin. Words are
 * read as signed numbers, which V8 keeps out of the heap.
 */
const bitsToBits = (gathering: Gathering, set: Uint32Array, term: Uint32Array) => {
  const { impacts, into } = gathering
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
      copyRun(gathering, at - run, posting - run, run)
      run = 0
      const both = wanted & held
      if (both === wanted) {
        for (let rest = both, to = at; rest !== 0; rest &= rest - 1) {
          into[to++] = impacts[posting + bitCount(held & below(rest))] ?? 0
        }
      } else if (both === held) {
        for (let rest = both, from = posting; rest !== 0; rest &= rest - 1) {
          into[at + bitCount(wanted & below(rest))] = impacts[from++] ?? 0
        }
      } else {
        for (let rest = both; rest !== 0; rest &= rest - 1) {
          into[at + bitCount(wanted & below(rest))] = impacts[posting + bitCount(held & below(rest))] ?? 0
        }
      }
    }
    at += ofSet
    posting += ofTerm
  }
  copyRun(gathering, at - run, posting - run, run)
}

/** Visits the numbers of a list that have a bit: where each is in the list, and how many bits come before it. */
const eachShared = (list: Uint32Array, bits: Uint32Array, visit: (inList: number, inBits: number) => void) => {
  for (let at = 0, word = 0, before = 0; at < list.length; at++) {
    const document = list[at] ?? 0
    for (; word < document >>> 5; word++) before += bitCount(bits[word] ?? 0)
    if (hasBit(bits, document)) visit(at, before + bitCount((bits[word] ?? 0) & ((1 << (document & 31)) - 1)))
  }
}

const listToBits = ({ impacts, into }: Gathering, set: Uint32Array, term: Uint32Array) =>
  eachShared(term, set, (posting, at) => {
    into[at] = impacts[posting] ?? 0
  })

const bitsToList = ({ impacts, into }: Gathering, set: Uint32Array, term: Uint32Array) =>
  eachShared(set, term, (at, posting) => {
    into[at] = impacts[posting] ?? 0
  })

/** `ordinals` are the postings of the documents, where these are not all of the term. */
const listToList = ({ impacts, into }: Gathering, set: Uint32Array, documents: Uint32Array, ordinals?: Uint32Array) => {
  for (let n = 0, at = 0; n < documents.length; n++) {
    const document = documents[n] ?? 0
    while ((set[at] ?? document) < document) at++
    if (set[at] !== document) continue
    into[at] = impacts[ordinals === undefined ? n : (ordinals[n] ?? 0)] ?? 0
  }
}

/** The impact of a term in each of the `size` documents of a set, 0 where a document does not hold it. */
export const impactsIn = (segment: Segment, term: number, set: DocumentSet, size: number): Uint8Array => {
  const gathering = { impacts: segment.piece("impact", term), into: someBytes(size).fill(0) }
  if ("bits" in set) {
    if (segment.isDense(term)) bitsToBits(gathering, set.bits, segment.bitsOf(term))
    else listToBits(gathering, set.bits, segment.listOf(term))
  } else if (isFew(segment, term, set.list.length)) {
    const documents = listOf(intersect(set, segment.setOf(term)))
    listToList(gathering, set.list, documents, ordinalsOf(segment, term, documents))
  } else if (segment.isDense(term)) bitsToList(gathering, set.list, segment.bitsOf(term))
  else listToList(gathering, set.list, segment.listOf(term))
  return gathering.into
}

/** A term's impacts in the documents of a set, and what one of them counts for. */
export interface Weighed {
  readonly weight: number
  readonly impacts: Uint8Array
}

/** The score of the document at a place of the set. */
export const scoreAt = (terms: ReadonlyArray<Weighed>, place: number): number => {
  let score = 0
  for (const { weight, impacts } of terms) score += weight * (impacts[place] ?? 0)
  return score
}

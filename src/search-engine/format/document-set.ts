import { copyOf, zeros } from "./arena.ts"
import { bitsetWords } from "./layout.ts"

/** A set of document numbers: an ascending list, or a bitset. Immutable. */
export type DocumentSet = { readonly list: Uint32Array } | { readonly bits: Uint32Array }

export const noDocuments: DocumentSet = { list: new Uint32Array(0) }

/** A bitset of the first `documents` numbers. */
export const allDocuments = (documents: number): Uint32Array => {
  const bits = new Uint32Array(bitsetWords(documents)).fill(0xffff_ffff)
  if (documents % 32 !== 0) bits[bits.length - 1] = 2 ** (documents % 32) - 1
  return bits
}

export const hasBit = (bits: Uint32Array, document: number): boolean =>
  (((bits[document >>> 5] ?? 0) >>> (document & 31)) & 1) === 1

export const setBit = (bits: Uint32Array, document: number) => {
  bits[document >>> 5] = (bits[document >>> 5] ?? 0) | (1 << (document & 31))
}

export const clearBit = (bits: Uint32Array, document: number) => {
  bits[document >>> 5] = (bits[document >>> 5] ?? 0) & ~(1 << (document & 31))
}

/** The number of set bits in a word (Hacker's Delight, figure 5-2). */
export const bitCount = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** The number of bits set from `from` up to but not including `to`. */
export const bitsBetween = (bits: Uint32Array, from: number, to: number): number => {
  let count = 0
  for (let at = from; at < to; ) {
    const word = (bits[at >>> 5] ?? 0) >>> (at & 31)
    const length = Math.min(32 - (at & 31), to - at)
    count += bitCount(length === 32 ? word : word & (2 ** length - 1))
    at += length
  }
  return count
}

export const sizeOf = (set: DocumentSet): number => {
  if ("list" in set) return set.list.length
  let size = 0
  for (let i = 0; i < set.bits.length; i++) size += bitCount(set.bits[i] ?? 0)
  return size
}

/** The documents at these ordinals of the set. */
export const select = (set: DocumentSet, ordinals: Uint32Array): Uint32Array => {
  if ("list" in set) return ordinals.map((ordinal) => set.list[ordinal] ?? 0)
  // The number of documents in each word of the bitset and those before it.
  const counts = zeros(set.bits.length)
  for (let i = 0, count = 0; i < counts.length; i++) counts[i] = count += bitCount(set.bits[i] ?? 0)
  return ordinals.map((ordinal) => {
    const at = lowerBound(counts, ordinal + 1, 0)
    let word = set.bits[at] ?? 0
    for (let before = counts[at - 1] ?? 0; before < ordinal; before++) word &= word - 1
    return (at << 5) + 31 - Math.clz32(word & -word)
  })
}

/** Visits the documents in ascending order, without a list: a common word's would be as long as the record. */
export const forEachDocument = (set: DocumentSet, visit: (document: number) => void): void => {
  if ("list" in set) for (let i = 0; i < set.list.length; i++) visit(set.list[i] ?? 0)
  else
    for (let i = 0; i < set.bits.length; i++)
      for (let word = set.bits[i] ?? 0; word !== 0; word &= word - 1) visit((i << 5) + 31 - Math.clz32(word & -word))
}

/** Visits the documents of a set of that size in descending order, each with its ordinal in the set. */
export const forEachDescending = (
  set: DocumentSet,
  size: number,
  visit: (document: number, ordinal: number) => void
): void => {
  let at = size
  if ("list" in set) while (at-- > 0) visit(set.list[at] ?? 0, at)
  else
    for (let i = set.bits.length - 1; i >= 0; i--) {
      let word = (set.bits[i] ?? 0) | 0
      while (word !== 0) {
        const bit = 31 - Math.clz32(word)
        word &= ~(1 << bit)
        visit((i << 5) + bit, --at)
      }
    }
}

const listOfBits = (bits: Uint32Array): Uint32Array => {
  const list = zeros(sizeOf({ bits }))
  let n = 0
  forEachDocument({ bits }, (document) => {
    list[n++] = document
  })
  return list
}

/** The documents as an ascending list. */
export const listOf = (set: DocumentSet): Uint32Array => ("list" in set ? set.list : listOfBits(set.bits))

/** The documents as a bitset of `words` words, which may be the set's own. */
const bitsOf = (set: DocumentSet, words: number): Uint32Array => {
  if ("bits" in set) return set.bits
  const bits = zeros(words)
  for (const document of set.list) setBit(bits, document)
  return bits
}

/** The first index at or after `from` where `list` has `value` or more, by galloping search. */
export const lowerBound = (list: ArrayLike<number>, value: number, from: number): number => {
  let step = 1
  while (from + step < list.length && (list[from + step] ?? 0) < value) step *= 2
  let [low, high] = [from + (step >>> 1), Math.min(list.length, from + step + 1)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

export const has = (set: DocumentSet, document: number): boolean =>
  "bits" in set ? hasBit(set.bits, document) : set.list[lowerBound(set.list, document, 0)] === document

const intersectLists = (a: Uint32Array, b: Uint32Array): Uint32Array => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  const both = zeros(short.length)
  let n = 0
  for (let i = 0, j = 0; i < short.length; i++) {
    const value = short[i] ?? 0
    if ((long[j] ?? value) < value) j = lowerBound(long, value, j)
    if (j === long.length) break
    if (long[j] === value) both[n++] = value
  }
  return both.subarray(0, n)
}

/**
 * The members of the list whose bit is set, or those whose bit is not. A loop, because `filter` would call a function
 * per element.
 */
const filterByBit = (list: Uint32Array, bits: Uint32Array, has: boolean): Uint32Array => {
  const members = zeros(list.length)
  let n = 0
  for (let i = 0; i < list.length; i++) {
    const document = list[i] ?? 0
    if (hasBit(bits, document) === has) members[n++] = document
  }
  return members.subarray(0, n)
}

export const intersect = (a: DocumentSet, b: DocumentSet): DocumentSet => {
  if ("list" in a) return { list: "list" in b ? intersectLists(a.list, b.list) : filterByBit(a.list, b.bits, true) }
  if ("list" in b) return intersect(b, a)
  const both = copyOf(a.bits)
  for (let i = 0; i < both.length; i++) both[i] = (both[i] ?? 0) & (b.bits[i] ?? 0)
  return { bits: both }
}

/** The documents in `a` that are not in `b`; both are of a segment of `documents`. */
export const difference = (a: DocumentSet, b: DocumentSet, documents: number): DocumentSet => {
  const excluded = bitsOf(b, bitsetWords(documents))
  if ("list" in a) return { list: filterByBit(a.list, excluded, false) }
  const left = copyOf(a.bits)
  for (let i = 0; i < left.length; i++) left[i] = (left[i] ?? 0) & ~(excluded[i] ?? 0)
  return { bits: left }
}

/** The documents in either; both are of a segment of `documents`. */
export const union = (a: DocumentSet, b: DocumentSet, documents: number): DocumentSet => {
  const other = bitsOf(b, bitsetWords(documents))
  const either = copyOf(bitsOf(a, bitsetWords(documents)))
  for (let i = 0; i < either.length; i++) either[i] = (either[i] ?? 0) | (other[i] ?? 0)
  return { bits: either }
}

/** The numbers from `from` up to but not including `to`. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** The documents of the set in any of these ranges, which are ascending and disjoint. */
export const intersectRanges = (set: DocumentSet, ranges: ReadonlyArray<Range>): DocumentSet => {
  if ("list" in set) {
    const { list } = set
    const parts = ranges.map(({ from, to }) => list.subarray(lowerBound(list, from, 0), lowerBound(list, to, 0)))
    const [only] = parts
    if (only !== undefined && parts.length === 1) return { list: only }
    const all = zeros(parts.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of parts) {
      all.set(part, at)
      at += part.length
    }
    return { list: all }
  }
  const bits = zeros(set.bits.length)
  for (const { from, to } of ranges) {
    for (let word = from >>> 5; word < bitsetWords(to); word++) {
      bits[word] = (bits[word] ?? 0) | ((set.bits[word] ?? 0) & rangeMask(word, from, to))
    }
  }
  return { bits }
}

/** The bits of a word whose numbers are in a range. */
export const rangeMask = (word: number, from: number, to: number): number => {
  const [first, end] = [from - (word << 5), to - (word << 5)]
  return (first <= 0 ? -1 : -1 << first) & (end >= 32 ? -1 : (1 << end) - 1)
}

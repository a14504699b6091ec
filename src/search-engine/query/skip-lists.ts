import { someBytes, zeros } from "../format/arena.ts"
import { bitsBetween, type DocumentSet, hasBit, listOf, sizeOf } from "../format/document-set.ts"
import { grown, int32s } from "../format/growable.ts"
import { skipInterval } from "../format/layout.ts"
import type { Segment } from "../format/segment.ts"
import { afterCounted, VarintReader } from "../format/varint.ts"

/** Where the positions of a term in some documents are to be read: those of the i-th document begin at `starts[i]`. */
export interface PositionLists {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
}

/** Reading block by block costs less than decoding the whole of a term below one document in this many postings. */
export const isFew = (segment: Segment, term: number, documents: number): boolean =>
  documents * skipInterval < segment.frequency(term)

/** The entries of a term's skip table, as numbers. */
const skipsOf = (segment: Segment, term: number): Uint32Array => new Uint32Array(segment.piece("skip", term).buffer)

/** How many blocks of a skip table end before `document`. */
const blockOf = (skips: Uint32Array, document: number): number => {
  let [low, high] = [0, skips.length / 3]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((skips[3 * middle] ?? 0) < document) low = middle + 1
    else high = middle
  }
  return low
}

/** Finds postings of a term in its blocks: which one within the block that of a document is. */
const withinBlock = (segment: Segment, term: number, skips: Uint32Array) => {
  const before = (block: number): number => (block === 0 ? -1 : (skips[3 * block - 3] ?? 0))
  if (segment.isDense(term)) {
    const bits = segment.bitsOf(term)
    return (block: number, document: number) => bitsBetween(bits, before(block) + 1, document)
  }
  const bytes = segment.piece("docs", term)
  return (block: number, document: number) => {
    const gaps = new VarintReader(bytes, block === 0 ? 0 : (skips[3 * block - 2] ?? 0))
    let count = 0
    for (let last = before(block) + gaps.next() + 1; last < document; last += gaps.next() + 1) count++
    return count
  }
}

/** Whether a document holds a term. */
export const holds = (segment: Segment, term: number, document: number): boolean => {
  if (segment.isDense(term)) return hasBit(segment.bitsOf(term), document)
  const skips = skipsOf(segment, term)
  const block = blockOf(skips, document)
  const gaps = new VarintReader(segment.piece("docs", term), block === 0 ? 0 : (skips[3 * block - 2] ?? 0))
  let last = block === 0 ? -1 : (skips[3 * block - 3] ?? 0)
  const postings = Math.min(skipInterval, segment.frequency(term) - block * skipInterval)
  for (let read = 0; read < postings && last < document; read++) last += gaps.next() + 1
  return last === document
}

/** The places of a few documents among the postings of a term. All of them, rising, hold the term. */
export const ordinalsOf = (segment: Segment, term: number, documents: Uint32Array): Uint32Array => {
  const skips = skipsOf(segment, term)
  const within = withinBlock(segment, term, skips)
  return documents.map((document) => {
    const block = blockOf(skips, document)
    return block * skipInterval + within(block, document)
  })
}

/** Where the positions of a term in some documents begin. All of them hold the term. */
export const positionsOf = (segment: Segment, term: number, documents: DocumentSet): PositionLists => {
  const size = sizeOf(documents)
  if (isFew(segment, term, size)) return positionsByBlock(segment, term, listOf(documents))
  const bytes = segment.piece("pos", term)
  const starts = zeros(size)
  let at = 0
  if ("bits" in documents && segment.isDense(term)) {
    const [wanted, held] = [documents.bits, segment.bitsOf(term)]
    for (let i = 0, n = 0; i < held.length; i++) {
      const ofWord = wanted[i] ?? 0
      for (let word = held[i] ?? 0; word !== 0; word &= word - 1) {
        if ((ofWord & word & -word) !== 0) starts[n++] = at
        at = afterCounted(bytes, at)
      }
    }
    return { bytes, starts }
  }
  const [wanted, held] = [listOf(documents), segment.listOf(term)]
  for (let i = 0, n = 0; n < size; i++) {
    if (held[i] === wanted[n]) starts[n++] = at
    at = afterCounted(bytes, at)
  }
  return { bytes, starts }
}

/** The blocks that have the documents are read into one array, unless all of them have been read before. */
const positionsByBlock = (segment: Segment, term: number, documents: Uint32Array): PositionLists => {
  const skips = skipsOf(segment, term)
  const within = withinBlock(segment, term, skips)
  const blocks = documents.map((document) => blockOf(skips, document))
  const beginOf = (block: number) => (block === 0 ? 0 : (skips[3 * block - 1] ?? 0))
  const endOf = (block: number) => skips[3 * block + 2] ?? segment.pieceLength("pos", term)
  const isFirst = (i: number) => blocks[i] !== blocks[i - 1]
  const whole = segment.readPiece("pos", term)
  const sizeOfBlocks = () =>
    blocks.reduce((sum, block, i) => (isFirst(i) ? sum + endOf(block) - beginOf(block) : sum), 0)
  const reader = new VarintReader(whole ?? someBytes(sizeOfBlocks()))
  let [end, read] = [0, 0]
  const starts = documents.map((document, i) => {
    const block = blocks[i] ?? 0
    if (isFirst(i)) {
      reader.at = whole === undefined ? end : beginOf(block)
      end = reader.at + endOf(block) - beginOf(block)
      if (whole === undefined) segment.readPart("pos", term, beginOf(block), reader.bytes.subarray(reader.at, end))
      read = 0
    }
    for (const posting = within(block, document); read < posting; read++) reader.skip()
    return reader.at
  })
  return { bytes: reader.bytes, starts }
}

/** Positions of one posting at a time, rising: the first `count` of an array that is used again. */
export class Positions {
  values = new Int32Array(64)
  count = 0

  /** Reads the positions that begin at `start`, and returns how many there are. */
  read(bytes: Uint8Array, start: number): number {
    const reader = new VarintReader(bytes, start)
    const length = reader.next()
    const end = reader.at + length
    this.values = grown(this.values, length, int32s)
    const { values } = this
    let count = 0
    for (let at = reader.at, position = 0; at < end; count++) {
      let byte = bytes[at++] ?? 0
      let gap = byte & 0x7f
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++] ?? 0
        gap |= (byte & 0x7f) << shift
      }
      position += gap
      values[count] = position
    }
    this.count = count
    return count
  }
}

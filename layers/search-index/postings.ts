import { bitsBetween } from "./document-set.ts"
import { grown, int32s, uint8s } from "./growable.ts"
import { skipInterval } from "./layout.ts"
import type { Segment } from "./segment.ts"
import { VarintReader } from "./varint.ts"

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

/** The places of a few documents among the postings of a term. All of them, rising, hold the term. */
export const ordinalsOf = (segment: Segment, term: number, documents: Uint32Array): Uint32Array => {
  const skips = skipsOf(segment, term)
  const within = withinBlock(segment, term, skips)
  return documents.map((document) => {
    const block = blockOf(skips, document)
    return block * skipInterval + within(block, document)
  })
}

/** Where the positions of a term in some documents begin. All of them, rising, hold the term. */
export const positionsOf = (segment: Segment, term: number, documents: Uint32Array): PositionLists =>
  isFew(segment, term, documents.length)
    ? positionsByBlock(segment, term, documents)
    : allPositions(segment, term, documents)

const allPositions = (segment: Segment, term: number, documents: Uint32Array): PositionLists => {
  const postings = segment.listOf(term)
  const positions = new VarintReader(segment.piece("pos", term))
  let at = 0
  const starts = documents.map((document) => {
    for (; (postings[at] ?? document) < document; at++) positions.skip()
    return positions.at
  })
  return { bytes: positions.bytes, starts }
}

const positionsByBlock = (segment: Segment, term: number, documents: Uint32Array): PositionLists => {
  const skips = skipsOf(segment, term)
  const within = withinBlock(segment, term, skips)
  const blocks: Array<Uint8Array> = []
  let bytes = 0
  let block = -1
  let positions = new VarintReader(new Uint8Array(0))
  let [read, begin] = [0, 0]
  const starts = documents.map((document) => {
    const its = blockOf(skips, document)
    if (its !== block) {
      block = its
      const from = block === 0 ? 0 : (skips[3 * block - 1] ?? 0)
      const to = skips[3 * block + 2] ?? segment.pieceLength("pos", term)
      positions = new VarintReader(segment.partOf("pos", term, from, to))
      blocks.push(positions.bytes)
      begin = bytes
      bytes += positions.bytes.length
      read = 0
    }
    for (const posting = within(block, document); read < posting; read++) positions.skip()
    return begin + positions.at
  })
  const all = uint8s(bytes)
  let at = 0
  for (const one of blocks) {
    all.set(one, at)
    at += one.length
  }
  return { bytes: all, starts }
}

/** Positions of one posting at a time, rising, in an array that is used again. */
export class Positions {
  values = new Int32Array(64)

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
    return count
  }
}

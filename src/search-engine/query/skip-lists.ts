import { scratchBytes, zeros } from "../format/arena.ts"
import { bitsBetween, type DocumentSet, hasBit, listOf, sizeOf } from "../format/document-set.ts"
import { grown, int32s } from "../format/growable.ts"
import { skipInterval } from "../format/layout.ts"
import type { Segment } from "../format/segment.ts"
import { afterPrefixed, VarintReader } from "../format/varint.ts"

/** The positions of a term in some documents: those of the i-th document begin at `starts[i]`. */
export interface PositionLists {
  readonly segment: Segment
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
}

/**
 * Whether there are so few documents that reading only their blocks costs less than decoding all of a term's postings.
 */
export const isSelective = (segment: Segment, term: number, documents: number): boolean =>
  documents * skipInterval < segment.frequency(term)

/** The skip lists that were checked, by their bytes, for as long as the segment keeps these. */
const checked = new WeakMap<Uint8Array, Uint32Array>()

/** The skip list of a term, three numbers per entry (`skipBytes`). */
const skipListOf = (segment: Segment, term: number): Uint32Array => {
  const bytes = segment.piece("skip", term)
  const known = checked.get(bytes)
  if (known !== undefined) return known
  const skips = new Uint32Array(bytes.buffer)
  const [docs, pos] = [segment.pieceLength("docs", term), segment.pieceLength("pos", term)]
  for (let at = 0; at < skips.length; at += 3) {
    const [posting = 0, position = 0] = [skips[at + 1], skips[at + 2]]
    if (posting > docs || position > pos || position < (skips[at - 1] ?? 0)) segment.refuse("a skip leads nowhere")
  }
  checked.set(bytes, skips)
  return skips
}

/** The number of blocks that end before `document`, by binary search. */
const blockOf = (skips: Uint32Array, document: number): number => {
  let [low, high] = [0, skips.length / 3]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((skips[3 * middle] ?? 0) < document) low = middle + 1
    else high = middle
  }
  return low
}

/** Finds a posting in its block: the number of the block's postings before that document's. */
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
export const contains = (segment: Segment, term: number, document: number): boolean => {
  if (segment.isDense(term)) return hasBit(segment.bitsOf(term), document)
  const skips = skipListOf(segment, term)
  const block = blockOf(skips, document)
  const gaps = new VarintReader(segment.piece("docs", term), block === 0 ? 0 : (skips[3 * block - 2] ?? 0))
  let last = block === 0 ? -1 : (skips[3 * block - 3] ?? 0)
  const postings = Math.min(skipInterval, segment.frequency(term) - block * skipInterval)
  for (let read = 0; read < postings && last < document; read++) last += gaps.next() + 1
  return last === document
}

/** The ordinals of a few documents among the postings of a term. The documents are ascending, and all hold the term. */
export const postingOrdinals = (segment: Segment, term: number, documents: Uint32Array): Uint32Array => {
  const skips = skipListOf(segment, term)
  const within = withinBlock(segment, term, skips)
  return documents.map((document) => {
    const block = blockOf(skips, document)
    return block * skipInterval + within(block, document)
  })
}

/** The positions of a term in some documents, all of which hold it. */
export const positionLists = (segment: Segment, term: number, documents: DocumentSet): PositionLists => {
  const size = sizeOf(documents)
  if (isSelective(segment, term, size)) return readByBlock(segment, term, listOf(documents))
  const bytes = segment.piece("pos", term)
  const starts = zeros(size)
  let at = 0
  if ("bits" in documents && segment.isDense(term)) {
    const [requested, postings] = [documents.bits, segment.bitsOf(term)]
    for (let i = 0, n = 0; i < postings.length; i++) {
      const ofWord = requested[i] ?? 0
      for (let word = postings[i] ?? 0; word !== 0; word &= word - 1) {
        if ((ofWord & word & -word) !== 0) starts[n++] = at
        at = afterPrefixed(bytes, at)
      }
    }
    return { segment, bytes, starts }
  }
  const [requested, postings] = [listOf(documents), segment.listOf(term)]
  for (let i = 0, n = 0; n < size; i++) {
    if (postings[i] === requested[n]) starts[n++] = at
    at = afterPrefixed(bytes, at)
  }
  return { segment, bytes, starts }
}

/** Reads the documents' blocks into one array, unless the whole term is cached. */
const readByBlock = (segment: Segment, term: number, documents: Uint32Array): PositionLists => {
  const skips = skipListOf(segment, term)
  const within = withinBlock(segment, term, skips)
  const blocks = documents.map((document) => blockOf(skips, document))
  const beginOf = (block: number) => (block === 0 ? 0 : (skips[3 * block - 1] ?? 0))
  const endOf = (block: number) => skips[3 * block + 2] ?? segment.pieceLength("pos", term)
  const isFirst = (i: number) => blocks[i] !== blocks[i - 1]
  const whole = segment.cachedPiece("pos", term)
  const sizeOfBlocks = () =>
    blocks.reduce((sum, block, i) => (isFirst(i) ? sum + endOf(block) - beginOf(block) : sum), 0)
  const reader = new VarintReader(whole ?? scratchBytes(sizeOfBlocks()))
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
  return { segment, bytes: reader.bytes, starts }
}

/** A reader of the positions in the i-th document, and where they end. */
export const positionsIn = ({ segment, bytes, starts }: PositionLists, i: number) => {
  const reader = new VarintReader(bytes, starts[i])
  const length = reader.next()
  const end = reader.at + length
  if (end > bytes.length) segment.refuse(`${length} bytes of positions reach beyond their end`)
  return { reader, end }
}

/** Decodes the positions of one posting at a time, ascending: the first `count` of an array that is reused. */
export class PositionReader {
  values = new Int32Array(64)
  count = 0

  /** Decodes the positions in the i-th document, and returns their number. */
  read(lists: PositionLists, i: number): number {
    const { reader, end } = positionsIn(lists, i)
    const { bytes } = lists
    this.values = grown(this.values, end - reader.at, int32s)
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

import { impactOf } from "../format/impact.ts"
import { aligned, docsOffsets, isDense, prefixSums, skipBytes, skipInterval } from "../format/layout.ts"
import type { SegmentWriter } from "../format/segment-files.ts"
import { VarintReader, writeVarint } from "../format/varint.ts"
import type { AverageLengths } from "../types.ts"
import { ForwardReader } from "./forward-file.ts"
import type { DocumentTable, TermCounts } from "./forward-pass.ts"

/** The start of each term in each of the piece files; `skip` in entries, the rest in bytes. */
interface Offsets {
  readonly docs: Float64Array<ArrayBuffer>
  readonly postings: Float64Array<ArrayBuffer>
  readonly positions: Float64Array<ArrayBuffer>
  readonly skips: Float64Array<ArrayBuffer>
}

const offsetsOf = (documents: number, terms: number, counts: TermCounts): Offsets => {
  const frequencies = counts.frequencies.subarray(0, terms)
  return {
    docs: docsOffsets(documents, frequencies, counts.gapBytes),
    postings: prefixSums(terms, (t) => frequencies[t] ?? 0),
    positions: prefixSums(terms, (t) => counts.positionBytes[t] ?? 0),
    skips: prefixSums(terms, (t) => Math.floor((frequencies[t] ?? 0) / skipInterval))
  }
}

const span = (offsets: Float64Array, from: number, to: number): number => (offsets[to] ?? 0) - (offsets[from] ?? 0)

/** The bytes that the inverted files of the terms `[from, to)` take, with alignment. */
const bytesOf = (offsets: Offsets, from: number, to: number): number =>
  span(offsets.docs, from, to) +
  span(offsets.postings, from, to) +
  span(offsets.positions, from, to) +
  skipBytes * span(offsets.skips, from, to) +
  alignment

/** Padding: docs may begin up to three bytes into a word, and end up to three bytes before the end of one. */
const alignment = 6

/** The postings of the terms `[from, to)`, filled document by document. */
class TermRange {
  readonly #from: number
  readonly #docs: Uint8Array
  readonly #bits: Uint32Array
  readonly #lead: number
  readonly #impact: Uint8Array
  readonly #positions: Uint8Array
  readonly #skips: Uint32Array
  // By term of the range: the place of its next posting.
  readonly #docsAt: Float64Array
  readonly #postingsAt: Float64Array
  readonly #positionsAt: Float64Array
  readonly #skipsAt: Float64Array
  readonly #frequencies: Uint32Array
  readonly #last: Int32Array
  readonly #dense: Uint8Array
  readonly #begins: { readonly docs: Float64Array; readonly positions: Float64Array }

  /** `buffer` has at least `bytesOf` bytes, which are overwritten. */
  constructor(
    from: number,
    to: number,
    offsets: Offsets,
    documents: number,
    frequencies: Uint32Array,
    buffer: Uint8Array<ArrayBuffer>
  ) {
    this.#from = from
    const starts = (of: Float64Array, lead = 0) =>
      Float64Array.from({ length: to - from }, (_, i) => (of[from + i] ?? 0) - (of[from] ?? 0) + lead)
    this.#lead = (offsets.docs[from] ?? 0) % 4
    const docsEnd = aligned(this.#lead + span(offsets.docs, from, to))
    const skipsEnd = docsEnd + skipBytes * span(offsets.skips, from, to)
    const impactEnd = skipsEnd + span(offsets.postings, from, to)
    // Every other byte is written.
    this.#docs = buffer.subarray(0, docsEnd).fill(0)
    this.#bits = new Uint32Array(buffer.buffer, buffer.byteOffset, docsEnd / 4)
    this.#skips = new Uint32Array(buffer.buffer, buffer.byteOffset + docsEnd, (skipsEnd - docsEnd) / 4)
    this.#impact = buffer.subarray(skipsEnd, impactEnd)
    this.#positions = buffer.subarray(impactEnd, impactEnd + span(offsets.positions, from, to))
    this.#docsAt = starts(offsets.docs, this.#lead)
    this.#postingsAt = starts(offsets.postings)
    this.#positionsAt = starts(offsets.positions)
    this.#skipsAt = starts(offsets.skips)
    this.#begins = { docs: this.#docsAt.slice(), positions: this.#positionsAt.slice() }
    this.#frequencies = new Uint32Array(to - from)
    this.#last = new Int32Array(to - from).fill(-1)
    this.#dense = Uint8Array.from(this.#frequencies, (_, i) => Number(isDense(frequencies[from + i] ?? 0, documents)))
  }

  /** Adds a posting. `positions[from, to)` are its length-prefixed positions, in their final form. */
  add(term: number, document: number, impact: number, positions: Uint8Array, from: number, to: number) {
    const i = term - this.#from
    const posting = this.#postingsAt[i] ?? 0
    this.#impact[posting] = impact
    this.#postingsAt[i] = posting + 1
    const docsAt = this.#docsAt[i] ?? 0
    if (this.#dense[i] === 1) {
      const word = docsAt / 4 + (document >>> 5)
      this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (document & 31))
    } else {
      this.#docsAt[i] = writeVarint(this.#docs, docsAt, document - (this.#last[i] ?? 0) - 1)
    }
    this.#last[i] = document
    let at = this.#positionsAt[i] ?? 0
    for (let byte = from; byte < to; byte++) this.#positions[at++] = positions[byte] ?? 0
    this.#positionsAt[i] = at
    const frequency = (this.#frequencies[i] ?? 0) + 1
    this.#frequencies[i] = frequency
    if (frequency % skipInterval === 0) this.#skip(i, document)
  }

  write(writer: SegmentWriter, length: number) {
    writer.append("docs", this.#docs.subarray(this.#lead, this.#lead + length))
    writer.append("impact", this.#impact)
    writer.append("pos", this.#positions)
    writer.append("skip", this.#skips)
  }

  #skip(i: number, document: number) {
    const entry = this.#skipsAt[i] ?? 0
    this.#skipsAt[i] = entry + 1
    this.#skips[3 * entry] = document
    this.#skips[3 * entry + 1] = (this.#docsAt[i] ?? 0) - (this.#begins.docs[i] ?? 0)
    this.#skips[3 * entry + 2] = (this.#positionsAt[i] ?? 0) - (this.#begins.positions[i] ?? 0)
  }
}

interface Forward {
  readonly path: string
  readonly terms: number
  readonly documents: DocumentTable
  readonly counts: TermCounts
  readonly averages: AverageLengths
  readonly budget: number
}

/**
 * The second pass of a build: inverts the forward index, reading it once for each range of terms whose inverted files
 * fit the budget. The output does not depend on the number of ranges. A term that exceeds the budget is a range by
 * itself.
 */
export const invertedPass = (forward: Forward, writer: SegmentWriter): Offsets => {
  const { documents, counts, terms, budget, averages } = forward
  const offsets = offsetsOf(documents.size, terms, counts)
  // One buffer for all ranges: V8 frees large arrays late, so that two would be alive at once.
  const buffer = new Uint8Array(Math.min(budget, bytesOf(offsets, 0, terms)))
  const reader = new ForwardReader(forward.path)
  try {
    for (let from = 0; from < terms; ) {
      let to = from + 1
      while (to < terms && bytesOf(offsets, from, to + 1) <= budget) to++
      const needed = bytesOf(offsets, from, to)
      const own = needed > buffer.length ? new Uint8Array(needed) : buffer
      const range = new TermRange(from, to, offsets, documents.size, counts.frequencies, own)
      reader.rewind()
      for (let document = 0; document < documents.size; document++) {
        const begin = reader.next()
        const record = new VarintReader(reader.bytes, begin)
        const lengths = {
          named: documents.namedWords[document] ?? 0,
          passages: documents.passages[document] ?? 0,
          printed: documents.printed[document] ?? 0
        }
        for (let left = record.next(); left > 0; left--) {
          const term = record.next()
          const weight = record.next()
          const spoken = record.next()
          const printed = record.next()
          const lengthAt = record.at
          record.skip()
          if (term < from || term >= to) continue
          const impact = impactOf({ weight, spoken, printed }, lengths, averages)
          range.add(term, document, impact, record.bytes, lengthAt, record.at)
        }
      }
      range.write(writer, span(offsets.docs, from, to))
      from = to
    }
  } finally {
    // Freed explicitly, because an idle thread collects no garbage.
    buffer.buffer.transfer(0)
    reader.close()
  }
  return offsets
}

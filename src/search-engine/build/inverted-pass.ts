import { impactOf } from "../format/impact.ts"
import { aligned, docsOffsets, isDense, runningSums, skipBytes, skipInterval } from "../format/layout.ts"
import type { SegmentWriter } from "../format/segment-files.ts"
import { VarintReader, writeVarint } from "../format/varint.ts"
import type { Averages } from "../types.ts"
import { ForwardReader } from "./forward-file.ts"
import type { Documents, TermCounts } from "./forward-pass.ts"

/** Where every term begins in each of the files that are read by the piece; `skip` in entries, the rest in bytes. */
interface Offsets {
  readonly docs: Float64Array<ArrayBuffer>
  readonly postings: Float64Array<ArrayBuffer>
  readonly positions: Float64Array<ArrayBuffer>
  readonly skips: Float64Array<ArrayBuffer>
}

export const offsetsOf = (documents: number, terms: number, counts: TermCounts): Offsets => {
  const frequencies = counts.frequencies.subarray(0, terms)
  return {
    docs: docsOffsets(documents, frequencies, counts.gapBytes),
    postings: runningSums(terms, (t) => frequencies[t] ?? 0),
    positions: runningSums(terms, (t) => counts.positionBytes[t] ?? 0),
    skips: runningSums(terms, (t) => Math.floor((frequencies[t] ?? 0) / skipInterval))
  }
}

const span = (offsets: Float64Array, from: number, to: number): number => (offsets[to] ?? 0) - (offsets[from] ?? 0)

/** How many bytes the inverted files of the terms `[from, to)` take, and what aligns them. */
const bytesOf = (offsets: Offsets, from: number, to: number): number =>
  span(offsets.docs, from, to) +
  span(offsets.postings, from, to) +
  span(offsets.positions, from, to) +
  skipBytes * span(offsets.skips, from, to) +
  alignment

/** Docs begin up to three bytes in, and end up to three before a word does. */
const alignment = 6

/** The inverted files of the terms `[from, to)`, filled document by document. */
class TermRange {
  readonly #from: number
  readonly #docs: Uint8Array
  readonly #bits: Uint32Array
  readonly #lead: number
  readonly #impact: Uint8Array
  readonly #positions: Uint8Array
  readonly #skips: Uint32Array
  // By term of the range: where its next posting goes, and where its first one went.
  readonly #docsAt: Float64Array
  readonly #postingsAt: Float64Array
  readonly #positionsAt: Float64Array
  readonly #skipsAt: Float64Array
  readonly #held: Uint32Array
  readonly #last: Int32Array
  readonly #dense: Uint8Array
  readonly #begins: { readonly docs: Float64Array; readonly positions: Float64Array }

  /** `room` has at least `bytesOf` bytes, which are written over. */
  constructor(
    from: number,
    to: number,
    offsets: Offsets,
    documents: number,
    frequencies: Uint32Array,
    room: Uint8Array<ArrayBuffer>
  ) {
    this.#from = from
    const starts = (of: Float64Array, lead = 0) =>
      Float64Array.from({ length: to - from }, (_, i) => (of[from + i] ?? 0) - (of[from] ?? 0) + lead)
    this.#lead = (offsets.docs[from] ?? 0) % 4
    const docsEnd = aligned(this.#lead + span(offsets.docs, from, to))
    const skipsEnd = docsEnd + skipBytes * span(offsets.skips, from, to)
    const impactEnd = skipsEnd + span(offsets.postings, from, to)
    // Every other byte is written.
    this.#docs = room.subarray(0, docsEnd).fill(0)
    this.#bits = new Uint32Array(room.buffer, room.byteOffset, docsEnd / 4)
    this.#skips = new Uint32Array(room.buffer, room.byteOffset + docsEnd, (skipsEnd - docsEnd) / 4)
    this.#impact = room.subarray(skipsEnd, impactEnd)
    this.#positions = room.subarray(impactEnd, impactEnd + span(offsets.positions, from, to))
    this.#docsAt = starts(offsets.docs, this.#lead)
    this.#postingsAt = starts(offsets.postings)
    this.#positionsAt = starts(offsets.positions)
    this.#skipsAt = starts(offsets.skips)
    this.#begins = { docs: this.#docsAt.slice(), positions: this.#positionsAt.slice() }
    this.#held = new Uint32Array(to - from)
    this.#last = new Int32Array(to - from).fill(-1)
    this.#dense = Uint8Array.from(this.#held, (_, i) => Number(isDense(frequencies[from + i] ?? 0, documents)))
  }

  /** Adds a posting. `positions[from, to)` are its positions with their length before them, as they are written. */
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
    const held = (this.#held[i] ?? 0) + 1
    this.#held[i] = held
    if (held % skipInterval === 0) this.#skip(i, document)
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
  readonly documents: Documents
  readonly counts: TermCounts
  readonly averages: Averages
  readonly budget: number
}

/**
 * The second pass of a build: walks the forward file once for each range of terms whose inverted files fit the budget,
 * writes them, and goes on. What is written is the same however many ranges there are. A term that is above the budget
 * alone is a range by itself.
 */
export const invertedPass = (forward: Forward, writer: SegmentWriter): Offsets => {
  const { documents, counts, terms, budget, averages } = forward
  const offsets = offsetsOf(documents.size, terms, counts)
  // One room for all ranges: V8 frees large arrays late, and two of them would be held at a time.
  const room = new Uint8Array(Math.min(budget, bytesOf(offsets, 0, terms)))
  const reader = new ForwardReader(forward.path)
  try {
    for (let from = 0; from < terms; ) {
      let to = from + 1
      while (to < terms && bytesOf(offsets, from, to + 1) <= budget) to++
      const needed = bytesOf(offsets, from, to)
      const own = needed > room.length ? new Uint8Array(needed) : room
      const range = new TermRange(from, to, offsets, documents.size, counts.frequencies, own)
      reader.rewind()
      for (let document = 0; document < documents.size; document++) {
        const begin = reader.next()
        const record = new VarintReader(reader.bytes, begin)
        for (let left = record.next(); left > 0; left--) {
          const term = record.next()
          const weight = record.next()
          const said = record.next()
          const lengthAt = record.at
          record.skip()
          if (term < from || term >= to) continue
          const impact = impactOf(
            weight,
            said,
            documents.namedWords[document] ?? 0,
            documents.passages[document] ?? 0,
            averages
          )
          range.add(term, document, impact, record.bytes, lengthAt, record.at)
        }
      }
      range.write(writer, span(offsets.docs, from, to))
      from = to
    }
  } finally {
    // Given back now; a thread that has nothing else to do collects no garbage.
    room.buffer.transfer(0)
    reader.close()
  }
  return offsets
}

import { grown, int32s, uint32s } from "../format/growable.ts"
import { weightOf } from "../format/impact.ts"
import type { TermTable } from "../format/term-table.ts"
import { varintSize, writeVarint } from "../format/varint.ts"
import { firstPassage, nextPassage, positionLimit, widestPassage } from "../format/word-positions.ts"
import { RowsRefused } from "../types.ts"

/** A tsvector keeps a word's weight in the upper two bits of each of its positions. */
const positionMask = 0x3fff

/** Gathers the terms of one document after another from its vectors, in the binary form of `tsvector_send`. */
export class DocumentTerms {
  readonly #table: TermTable
  /** How many distinct terms the document has. */
  size = 0
  /** How many words stand in `named`, and how many passages there are. */
  namedWords = 0
  passages = 0
  /** The last position of a word of weight A in `named`. */
  lastTitle = 0
  /** Whether a passage has a word too far from its beginning to tell by its position which passage it is (`passageOf`). */
  isWide = false
  // By term of the segment: in which document it was last seen, and as which of that document's terms.
  #seenIn = new Int32Array(0)
  #localOf = new Int32Array(0)
  #turn = 0
  // By term of the document.
  #terms = new Uint32Array(1 << 10)
  #weight = new Uint32Array(1 << 10)
  #said = new Uint32Array(1 << 10)
  #count = new Uint32Array(1 << 10)
  #end = new Uint32Array(1 << 10)
  // By word of the document: its position and its term, in the order in which they were read.
  #words = 0
  #position = new Uint32Array(1 << 12)
  #termOf = new Uint32Array(1 << 12)
  #sorted = new Uint32Array(1 << 12)
  #base = firstPassage

  constructor(table: TermTable) {
    this.#table = table
  }

  begin() {
    this.#turn++
    this.size = this.namedWords = this.passages = this.#words = 0
    this.lastTitle = 0
    this.isWide = false
    this.#base = firstPassage
  }

  /** Reads the vector of what a meeting is about. */
  named(bytes: Uint8Array, from: number, length: number) {
    this.#vector(bytes, from, length, (local, position, weight) => {
      this.#weight[local] = (this.#weight[local] ?? 0) + (weightOf[weight] ?? 0)
      this.namedWords++
      if (weight === 3 && position > this.lastTitle) this.lastTitle = position
      this.#add(local, position)
    })
  }

  /** Reads the vector of the next passage of the transcript. */
  passage(bytes: Uint8Array, from: number, length: number) {
    const base = this.#base
    let highest = 0
    let last = -1
    this.passages++
    this.#vector(bytes, from, length, (local, position) => {
      if (local !== last) this.#said[local] = (this.#said[local] ?? 0) + 1
      last = local
      if (position > highest) highest = position
      this.#add(local, base + position)
    })
    if (highest > widestPassage) this.isWide = true
    this.#base = nextPassage(base, highest)
    if (this.#base > positionLimit) throw new RowsRefused({ reason: "a transcript has more passages than can be kept" })
  }

  /** Reads the vector of the whole document. It has no positions: its terms count as held, wherever they stand. */
  whole(bytes: Uint8Array, from: number, length: number) {
    this.#vector(bytes, from, length, () => {})
  }

  /**
   * Writes the document's terms at `at`, and returns where they end: how many there are, then for each the term, its
   * weight in `named`, the passages that hold it, the length of its positions, and the gaps between them. `counted`
   * learns each term with the bytes that its positions take in the inverted file.
   */
  write(out: Uint8Array, at: number, counted: (term: number, positionBytes: number) => void): number {
    this.#sort()
    let to = writeVarint(out, at, this.size)
    for (let local = 0; local < this.size; local++) {
      const term = this.#terms[local] ?? 0
      const end = this.#end[local] ?? 0
      const begin = end - (this.#count[local] ?? 0)
      let length = 0
      for (let i = begin, last = 0; i < end; i++) {
        const position = this.#sorted[i] ?? 0
        length += varintSize(position - last)
        last = position
      }
      to = writeVarint(out, to, term)
      to = writeVarint(out, to, this.#weight[local] ?? 0)
      to = writeVarint(out, to, this.#said[local] ?? 0)
      to = writeVarint(out, to, length)
      for (let i = begin, last = 0; i < end; i++) {
        const position = this.#sorted[i] ?? 0
        to = writeVarint(out, to, position - last)
        last = position
      }
      counted(term, length + varintSize(length))
    }
    return to
  }

  /** No record of this document is longer: a varint has at most five bytes. */
  get mostBytes(): number {
    return 5 + 20 * this.size + 5 * this.#words
  }

  /** Words by term; each term's positions rise, because vectors are read in the order of their positions. */
  #sort() {
    this.#end = grown(this.#end, this.size, uint32s)
    this.#sorted = grown(this.#sorted, this.#words, uint32s)
    let sum = 0
    for (let local = 0; local < this.size; local++) {
      this.#end[local] = sum
      sum += this.#count[local] ?? 0
    }
    for (let word = 0; word < this.#words; word++) {
      const local = this.#termOf[word] ?? 0
      const to = this.#end[local] ?? 0
      this.#sorted[to] = this.#position[word] ?? 0
      this.#end[local] = to + 1
    }
  }

  #add(local: number, position: number) {
    if (this.#words === this.#position.length) {
      this.#position = grown(this.#position, this.#words + 1, uint32s)
      this.#termOf = grown(this.#termOf, this.#words + 1, uint32s)
    }
    this.#position[this.#words] = position
    this.#termOf[this.#words++] = local
    this.#count[local] = (this.#count[local] ?? 0) + 1
  }

  /** The document's own number of a term. */
  #local(term: number): number {
    if (term >= this.#seenIn.length) {
      this.#seenIn = grown(this.#seenIn, term + 1, int32s)
      this.#localOf = grown(this.#localOf, term + 1, int32s)
    }
    if (this.#seenIn[term] === this.#turn) return this.#localOf[term] ?? 0
    const local = this.size++
    if (local >= this.#terms.length) {
      this.#terms = grown(this.#terms, this.size, uint32s)
      this.#weight = grown(this.#weight, this.size, uint32s)
      this.#said = grown(this.#said, this.size, uint32s)
      this.#count = grown(this.#count, this.size, uint32s)
    }
    this.#seenIn[term] = this.#turn
    this.#localOf[term] = local
    this.#terms[local] = term
    this.#weight[local] = this.#said[local] = this.#count[local] = 0
    return local
  }

  /**
   * A tsvector: how many lexemes (int32), then each with a zero byte at its end, how many positions (uint16), and these
   * (uint16), rising. A position that is given twice is counted once.
   */
  #vector(
    bytes: Uint8Array,
    from: number,
    length: number,
    word: (local: number, position: number, weight: number) => void
  ) {
    if (length < 0) return
    const end = from + length
    let at = from + 4
    let lexemes = new DataView(bytes.buffer, bytes.byteOffset).getInt32(from)
    for (; lexemes > 0 && at < end; lexemes--) {
      const begin = at
      while (at < end && bytes[at] !== 0) at++
      const local = this.#local(this.#table.number(bytes, begin, at))
      let positions = ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
      at += 3
      for (let last = 0; positions > 0 && at < end; positions--, at += 2) {
        const entry = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
        const position = entry & positionMask
        if (position > last) word(local, position, entry >> 14)
        last = position
      }
      if (positions > 0) break
    }
    if (lexemes !== 0 || at !== end) throw new RowsRefused({ reason: "a tsvector is cut short" })
  }
}

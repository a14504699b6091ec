import { grown, int32s, uint32s } from "../format/growable.ts"
import { weightOf } from "../format/impact.ts"
import type { TermTable } from "../format/term-table.ts"
import { varintSize, writeVarint } from "../format/varint.ts"
import { firstPassage, nextPassage, positionLimit, widestPassage } from "../format/word-positions.ts"
import { RowsRefused } from "../types.ts"

/** A tsvector stores a word's weight in the upper two bits of each of its positions. */
const positionMask = 0x3fff

/** Collects the terms of one document after another from its vectors, in the binary form of `tsvector_send`. */
export class DocumentTerms {
  readonly #table: TermTable
  /** The number of distinct terms of the document. */
  size = 0
  /** The number of words in `named`, and the number of passages. */
  namedWords = 0
  passages = 0
  /** The number of printed passages, and the position from which on they are. */
  printed = 0
  printedFrom = 0
  /** The last position of a word of weight A in `named`. */
  lastTitle = 0
  /** Whether a passage, or a printed one, is too wide for positions to identify passages (`passageOf`). */
  isWide = false
  isWideInPrint = false
  // By term of the segment: the document that last held it, and its number among that document's terms.
  #seenIn = new Int32Array(0)
  #localOf = new Int32Array(0)
  #turn = 0
  // By term of the document.
  #terms = new Uint32Array(1 << 10)
  #weight = new Uint32Array(1 << 10)
  #passageFrequency = new Uint32Array(1 << 10)
  #printedFrequency = new Uint32Array(1 << 10)
  #count = new Uint32Array(1 << 10)
  #end = new Uint32Array(1 << 10)
  // By word of the document, in reading order: its position and its term.
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
    this.size = this.namedWords = this.passages = this.printed = this.#words = 0
    this.lastTitle = 0
    this.isWide = this.isWideInPrint = false
    this.#base = this.printedFrom = firstPassage
  }

  /** Reads the vector of the meeting's subject matter. */
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
    this.passages++
    const highest = this.#passage(bytes, from, length, (local) => {
      this.#passageFrequency[local] = (this.#passageFrequency[local] ?? 0) + 1
    })
    if (highest > widestPassage) this.isWide = true
    this.printedFrom = this.#base
  }

  /** Reads the vector of the next printed passage; those of the transcript come before. */
  printedPassage(bytes: Uint8Array, from: number, length: number) {
    this.printed++
    const highest = this.#passage(bytes, from, length, (local) => {
      this.#printedFrequency[local] = (this.#printedFrequency[local] ?? 0) + 1
    })
    if (highest > widestPassage) this.isWideInPrint = true
  }

  /** Reads the whole document's vector, which has no positions: the document holds its terms, wherever they are. */
  whole(bytes: Uint8Array, from: number, length: number) {
    this.#vector(bytes, from, length, () => {})
  }

  /**
   * Writes the document's record in the forward index at `at`, and returns where it ends: the number of terms, then for
   * each the term, its weight in `named`, its frequencies in passages and printed ones, the length of its positions,
   * and
   * the gaps between them. `count` is called with each term and the length of its positions in the inverted file, in
   * bytes.
   */
  write(out: Uint8Array, at: number, count: (term: number, positionBytes: number) => void): number {
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
      to = writeVarint(out, to, this.#passageFrequency[local] ?? 0)
      to = writeVarint(out, to, this.#printedFrequency[local] ?? 0)
      to = writeVarint(out, to, length)
      for (let i = begin, last = 0; i < end; i++) {
        const position = this.#sorted[i] ?? 0
        to = writeVarint(out, to, position - last)
        last = position
      }
      count(term, length + varintSize(length))
    }
    return to
  }

  /** An upper bound for this document's record: a varint has at most five bytes. */
  get mostBytes(): number {
    return 5 + 25 * this.size + 5 * this.#words
  }

  /** Reads a passage; `term` is called with each of its terms. Returns its highest position. */
  #passage(bytes: Uint8Array, from: number, length: number, term: (local: number) => void): number {
    const base = this.#base
    let highest = 0
    let last = -1
    this.#vector(bytes, from, length, (local, position) => {
      if (local !== last) term(local)
      last = local
      if (position > highest) highest = position
      this.#add(local, base + position)
    })
    this.#base = nextPassage(base, highest)
    if (this.#base > positionLimit)
      throw new RowsRefused({ reason: "a meeting has more passages than positions can number" })
    return highest
  }

  /** Groups words by term; each term's positions are ascending, because vectors are read in that order. */
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

  /** The document's own number for a term. */
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
      this.#passageFrequency = grown(this.#passageFrequency, this.size, uint32s)
      this.#printedFrequency = grown(this.#printedFrequency, this.size, uint32s)
      this.#count = grown(this.#count, this.size, uint32s)
    }
    this.#seenIn[term] = this.#turn
    this.#localOf[term] = local
    this.#terms[local] = term
    this.#weight[local] = this.#passageFrequency[local] = this.#printedFrequency[local] = this.#count[local] = 0
    return local
  }

  /**
   * Reads a tsvector: the number of lexemes (int32), then each lexeme with a terminating zero byte, the number of its
   * positions (uint16), and these (uint16), ascending. A duplicate position counts once.
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

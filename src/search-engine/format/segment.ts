import { LRUCache } from "lru-cache"
import { type OpenOptions, type SegmentMeta, SegmentRefused } from "../types.ts"
import { zeros } from "./arena.ts"
import { type DocumentSet, listOf, lowerBound, type Range } from "./document-set.ts"
import { bitsetWords, isDense, prefixSums, skipBytes, skipInterval } from "./layout.ts"
import type { PieceReader } from "./piece-reader.ts"
import { openFiles, type PieceFile, pieceFiles } from "./segment-files.ts"
import { slotsFor, TermTable } from "./term-table.ts"

const defaultCacheBytes = 64 * 2 ** 20

/**
 * An open segment. The term dictionary and the columns of the documents are in memory, about 34 bytes a document; a
 * term's postings are read when a query needs them.
 */
export class Segment {
  readonly directory: string
  readonly meta: SegmentMeta
  readonly documents: number
  readonly frequencies: Uint32Array
  readonly bodies: Uint32Array
  readonly years: Int16Array
  readonly days: Int32Array
  /** The last position of a word of weight A in `named`. */
  readonly lastTitles: Uint16Array
  /** Bits (`wide`) of documents with a passage too wide for positions to tell passages apart (`passageOf`). */
  readonly wide: Uint8Array
  /** The position from which on words are printed ones; `nowhere` if there are none. */
  readonly printedFrom: Uint32Array
  readonly ids: Uint8Array
  readonly terms: TermTable
  /** Cached phrase matches; they stay valid because a segment is immutable. */
  readonly phrases: LRUCache<string, DocumentSet>
  readonly #pieces: LRUCache<string, Uint8Array<ArrayBuffer>>
  readonly #files: { readonly [Name in PieceFile]: PieceReader }
  readonly #offsets: { readonly [Name in PieceFile]: Float64Array }
  #documentsById: Int32Array | undefined
  #yearRanges: ReadonlyArray<YearRange> | undefined
  #byBody: { readonly firsts: Uint32Array; readonly documents: Uint32Array } | undefined
  #closed = false

  constructor(directory: string, { cacheBytes = defaultCacheBytes }: OpenOptions = {}) {
    const { meta, pieces, memory } = openFiles(directory)
    this.directory = directory
    this.meta = meta
    this.documents = meta.documents
    this.#files = pieces
    const bound = { maxSize: cacheBytes, maxEntrySize: Math.floor(cacheBytes / 2) }
    // The library rejects a size of 0.
    this.#pieces = new LRUCache({ ...bound, sizeCalculation: ({ length }) => Math.max(1, length) })
    this.phrases = new LRUCache({
      ...bound,
      sizeCalculation: (set) => Math.max(1, ("list" in set ? set.list : set.bits).byteLength)
    })
    this.terms = TermTable.of(new Uint8Array(memory("term.bytes")), new Uint32Array(memory("term.at")))
    const frequencies = new Uint32Array(memory("term.df"))
    this.frequencies = frequencies
    this.#offsets = {
      docs: new Float64Array(memory("term.docs")),
      pos: new Float64Array(memory("term.pos")),
      impact: prefixSums(meta.terms, (t) => frequencies[t] ?? 0),
      skip: prefixSums(meta.terms, (t) => skipBytes * Math.floor((frequencies[t] ?? 0) / skipInterval))
    }
    this.ids = new Uint8Array(memory("doc.id"))
    this.bodies = new Uint32Array(memory("doc.body"))
    this.years = new Int16Array(memory("doc.year"))
    this.days = new Int32Array(memory("doc.day"))
    this.lastTitles = new Uint16Array(memory("doc.title"))
    this.wide = new Uint8Array(memory("doc.wide"))
    this.printedFrom = new Uint32Array(memory("doc.printed"))
  }

  /** The number of a lexeme in this segment, or -1. */
  term(lexeme: string): number {
    const bytes = Buffer.from(lexeme)
    return this.terms.find(bytes, 0, bytes.length)
  }

  frequency(term: number): number {
    return this.frequencies[term] ?? 0
  }

  isDense(term: number): boolean {
    return isDense(this.frequency(term), this.documents)
  }

  /** The bytes of a term in a file. */
  piece(name: PieceFile, term: number): Uint8Array<ArrayBuffer> {
    const cached = this.cachedPiece(name, term)
    if (cached !== undefined) return cached
    const bytes = new Uint8Array(this.pieceLength(name, term))
    this.readPart(name, term, 0, bytes)
    this.#pieces.set(`${name} ${term}`, bytes)
    return bytes
  }

  /** The bytes of a term in a file, if they are cached. */
  cachedPiece(name: PieceFile, term: number): Uint8Array<ArrayBuffer> | undefined {
    return this.#pieces.get(`${name} ${term}`)
  }

  /** Reads a part of a term's bytes in a file, for a few documents of a long term. */
  readPart(name: PieceFile, term: number, from: number, into: Uint8Array) {
    this.#files[name].read(into, (this.#offsets[name][term] ?? 0) + from)
  }

  /** Checks blocks of a file that were read by other means. Throws `SegmentRefused`. */
  check(name: PieceFile, first: number, bytes: Uint8Array) {
    this.#files[name].check(first, bytes)
  }

  /** Refuses a number that was read from the segment and cannot be. */
  refuse(reason: string): never {
    throw new SegmentRefused({ directory: this.directory, reason })
  }

  pieceLength(name: PieceFile, term: number): number {
    return (this.#offsets[name][term + 1] ?? 0) - (this.#offsets[name][term] ?? 0)
  }

  /** The documents of a dense term. */
  bitsOf(term: number): Uint32Array {
    return new Uint32Array(this.piece("docs", term).buffer, 0, bitsetWords(this.documents))
  }

  /** The documents of a term, ascending. */
  listOf(term: number): Uint32Array {
    if (this.isDense(term)) return listOf({ bits: this.bitsOf(term) })
    const list = zeros(this.frequency(term))
    // Bounded by the count, because padding may follow the last gap.
    const bytes = this.piece("docs", term)
    let last = -1
    for (let n = 0, at = 0; n < list.length; n++) {
      let byte = bytes[at++] ?? 0
      let gap = byte & 0x7f
      // No gap has more than 28 bits, so none is negative, and the last document is the highest.
      for (let shift = 7; byte > 0x7f && shift < 28; shift += 7) {
        byte = bytes[at++] ?? 0
        gap |= (byte & 0x7f) << shift
      }
      last += gap + 1
      list[n] = last
    }
    if (last >= this.documents) this.refuse(`a posting is of document ${last} of ${this.documents}`)
    return list
  }

  setOf(term: number): DocumentSet {
    return this.isDense(term) ? { bits: this.bitsOf(term) } : { list: this.listOf(term) }
  }

  /** The number of a meeting's document, or -1. Its hash table is built on the first call. */
  documentOf(id: Uint8Array): number {
    this.#documentsById ??= this.#hashTable()
    const mask = this.#documentsById.length - 1
    for (let slot = hashOf(id, 0) & mask; ; slot = (slot + 1) & mask) {
      const document = this.#documentsById[slot] ?? -1
      if (document < 0 || sameId(this.ids, document * 16, id)) return document
    }
  }

  /** The meeting of a document. */
  uuid(document: number): string {
    const hex = Buffer.from(this.ids.buffer, document * 16, 16).toString("hex")
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }

  /** The years of its documents, ascending, each with its range of documents, which are numbered by date. */
  get yearRanges(): ReadonlyArray<YearRange> {
    this.#yearRanges ??= rangesOf(this.years)
    return this.#yearRanges
  }

  /** The documents of a body, ascending. The table behind it is built on the first call. */
  ofBody(body: number): Uint32Array {
    this.#byBody ??= byBody(this.bodies)
    const { firsts, documents } = this.#byBody
    return documents.subarray(firsts[body] ?? this.documents, firsts[body + 1] ?? this.documents)
  }

  /** Idempotent. */
  close() {
    if (this.#closed) return
    this.#closed = true
    for (const name of pieceFiles) this.#files[name].close()
  }

  #hashTable(): Int32Array {
    const slots = new Int32Array(slotsFor(this.documents)).fill(-1)
    for (let document = 0; document < this.documents; document++) {
      let slot = hashOf(this.ids, document * 16) & (slots.length - 1)
      while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = document
    }
    return slots
  }
}

/** A year, and the range of its documents. */
interface YearRange extends Range {
  readonly year: number
}

const rangesOf = (years: Int16Array): ReadonlyArray<YearRange> => {
  const ranges: Array<YearRange> = []
  for (let from = 0; from < years.length; from = ranges.at(-1)?.to ?? years.length) {
    const year = years[from] ?? 0
    ranges.push({ year, from, to: lowerBound(years, year + 1, from) })
  }
  return ranges
}

/** Documents by body: those of body `b` are `documents[firsts[b], firsts[b + 1])`. */
const byBody = (bodies: Uint32Array) => {
  const last = bodies.reduce((most, body) => Math.max(most, body), 0)
  const firsts = new Uint32Array(last + 2)
  for (let document = 0; document < bodies.length; document++) {
    const next = (bodies[document] ?? 0) + 1
    firsts[next] = (firsts[next] ?? 0) + 1
  }
  for (let body = 0; body <= last; body++) firsts[body + 1] = (firsts[body + 1] ?? 0) + (firsts[body] ?? 0)
  const [documents, ends] = [new Uint32Array(bodies.length), firsts.slice()]
  for (let document = 0; document < bodies.length; document++) {
    const body = bodies[document] ?? 0
    const at = ends[body] ?? 0
    documents[at] = document
    ends[body] = at + 1
  }
  return { firsts, documents }
}

/** Opens a segment. Throws `SegmentRefused` if the folder is not a whole segment of this format. */
export const openSegment = (directory: string, options?: OpenOptions): Segment => new Segment(directory, options)

/** The bytes of a meeting id. */
export const bytesOfUuid = (id: string): Uint8Array => Buffer.from(id.replaceAll("-", ""), "hex")

/** Hashes the last four bytes of an id: a UUIDv7 begins with a time, which neighbors share. */
const hashOf = (ids: Uint8Array, at: number): number => {
  const last =
    ((ids[at + 12] ?? 0) << 24) | ((ids[at + 13] ?? 0) << 16) | ((ids[at + 14] ?? 0) << 8) | (ids[at + 15] ?? 0)
  const mixed = Math.imul(last, 0x9e37_79b1)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

const sameId = (ids: Uint8Array, at: number, id: Uint8Array): boolean => {
  for (let i = 15; i >= 0; i--) if (ids[at + i] !== id[i]) return false
  return true
}

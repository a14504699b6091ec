import { float64s, grown, int16s, int32s, uint8s, uint16s, uint32s } from "../format/growable.ts"
import { TermTable } from "../format/term-table.ts"
import { varintSize } from "../format/varint.ts"
import { nowhere, wide } from "../format/word-positions.ts"
import { RowsRefused } from "../types.ts"
import { copyTuples, type Tuple } from "./copy-tuples.ts"
import { DocumentTerms } from "./document-terms.ts"
import { ForwardWriter } from "./forward-file.ts"

/** The columns of the documents, by document number. */
export class DocumentTable {
  size = 0
  ids = new Uint8Array(1 << 10)
  bodies = new Uint32Array(1 << 6)
  years = new Int16Array(1 << 6)
  days = new Int32Array(1 << 6)
  namedWords = new Uint32Array(1 << 6)
  passages = new Uint32Array(1 << 6)
  printed = new Uint32Array(1 << 6)
  printedFrom = new Uint32Array(1 << 6)
  lastTitles = new Uint16Array(1 << 6)
  wide = new Uint8Array(1 << 6)

  /** Adds a document, and returns its number. */
  add(): number {
    const document = this.size++
    if (document < this.bodies.length) return document
    this.ids = grown(this.ids, this.size * 16, uint8s)
    this.bodies = grown(this.bodies, this.size, uint32s)
    this.years = grown(this.years, this.size, int16s)
    this.days = grown(this.days, this.size, int32s)
    this.namedWords = grown(this.namedWords, this.size, uint32s)
    this.passages = grown(this.passages, this.size, uint32s)
    this.printed = grown(this.printed, this.size, uint32s)
    this.printedFrom = grown(this.printedFrom, this.size, uint32s)
    this.lastTitles = grown(this.lastTitles, this.size, uint16s)
    this.wide = grown(this.wide, this.size, uint8s)
    return document
  }
}

/** By term: its document frequency, and the bytes that its gaps and its positions take. */
export class TermCounts {
  frequencies = new Uint32Array(1 << 8)
  gapBytes = new Float64Array(1 << 8)
  positionBytes = new Float64Array(1 << 8)
  #last = new Int32Array(1 << 8)

  grow(terms: number) {
    this.frequencies = grown(this.frequencies, terms, uint32s)
    this.gapBytes = grown(this.gapBytes, terms, float64s)
    this.positionBytes = grown(this.positionBytes, terms, float64s)
    this.#last = grown(this.#last, terms, int32s)
  }

  /** Counts a posting; a term's postings come in document order. */
  count(term: number, document: number, positionBytes: number) {
    const frequency = this.frequencies[term] ?? 0
    const last = frequency === 0 ? -1 : (this.#last[term] ?? 0)
    this.frequencies[term] = frequency + 1
    this.gapBytes[term] = (this.gapBytes[term] ?? 0) + varintSize(document - last - 1)
    this.positionBytes[term] = (this.positionBytes[term] ?? 0) + positionBytes
    this.#last[term] = document
  }
}

/** The sizes of the fields before the vectors: id, body key, year and day. */
const fixed = [16, 4, 2, 4]
const fieldsOfRow = fixed.length + 4

/** Reads a row's id, body, year and day into a new document, which must follow the last one. */
const readDocument = ({ bytes, view, starts, lengths }: Tuple, documents: DocumentTable): number => {
  for (const [field, length] of fixed.entries()) {
    if (lengths[field] !== length) {
      throw new RowsRefused({ reason: `field ${field + 1} of a row has ${lengths[field]} bytes instead of ${length}` })
    }
  }
  const [id = 0, body = 0, year = 0, day = 0] = starts
  const document = documents.add()
  documents.ids.set(bytes.subarray(id, id + 16), document * 16)
  documents.bodies[document] = view.getUint32(body)
  documents.years[document] = view.getInt16(year)
  documents.days[document] = view.getInt32(day)
  if (document > 0 && !isInOrder(documents, document)) {
    throw new RowsRefused({ reason: "the rows are not in the order of date, then meeting id descending" })
  }
  return document
}

const isInOrder = ({ days, ids }: DocumentTable, document: number): boolean => {
  const [before = 0, day = 0] = [days[document - 1], days[document]]
  if (before !== day) return before < day
  const at = document * 16
  return Buffer.compare(ids.subarray(at - 16, at), ids.subarray(at, at + 16)) > 0
}

/**
 * An array: dimensions, whether it has nulls, and its type (int32 each); then length and lower bound; then elements.
 */
const arrayHeaderBytes = 12
const dimensionBytes = 8

/** Reads an array of passages: `passage` takes the bytes, where the next one begins, and its length. */
const readPassages = (
  { bytes, view, starts, lengths }: Tuple,
  field: number,
  passage: (bytes: Uint8Array, from: number, length: number) => void
) => {
  const [from = 0, length = -1] = [starts[field], lengths[field]]
  if (length < 0 || view.getInt32(from) === 0) return
  const end = from + length
  let at = from + arrayHeaderBytes + dimensionBytes
  for (let left = view.getInt32(from + arrayHeaderBytes); left > 0; left--) {
    if (at + 4 > end) throw new RowsRefused({ reason: "an array of passages is cut short" })
    const bytesOfPassage = view.getInt32(at)
    passage(bytes, at + 4, bytesOfPassage)
    at += 4 + Math.max(0, bytesOfPassage)
  }
  if (at !== end) throw new RowsRefused({ reason: "an array of passages has another length than it says" })
}

/**
 * The first pass of a build: reads rows, numbers their terms, measures each term's inverted files, and writes the
 * forward index to the file `path`.
 */
export const forwardPass = async (rows: AsyncIterable<Uint8Array>, path: string) => {
  const table = new TermTable()
  const terms = new DocumentTerms(table)
  const documents = new DocumentTable()
  const counts = new TermCounts()
  const file = new ForwardWriter(path)
  try {
    for await (const row of copyTuples(rows, fieldsOfRow)) {
      const document = readDocument(row, documents)
      terms.begin()
      const [named, whole] = [fixed.length, fixed.length + 1]
      terms.named(row.bytes, row.starts[named] ?? 0, row.lengths[named] ?? -1)
      readPassages(row, fixed.length + 2, (...passage) => terms.passage(...passage))
      readPassages(row, fixed.length + 3, (...passage) => terms.printedPassage(...passage))
      terms.whole(row.bytes, row.starts[whole] ?? 0, row.lengths[whole] ?? -1)
      documents.namedWords[document] = terms.namedWords
      documents.passages[document] = terms.passages
      documents.printed[document] = terms.printed
      documents.printedFrom[document] = terms.printed === 0 ? nowhere : terms.printedFrom
      documents.lastTitles[document] = terms.lastTitle
      documents.wide[document] = (terms.isWide ? wide.spoken : 0) | (terms.isWideInPrint ? wide.printed : 0)
      counts.grow(table.size)
      file.record(terms.mostBytes, (out, at) =>
        terms.write(out, at, (term, bytes) => counts.count(term, document, bytes))
      )
    }
  } finally {
    file.close()
  }
  return { table, documents, counts }
}

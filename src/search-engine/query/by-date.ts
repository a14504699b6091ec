import type { DocumentSet } from "../format/document-set.ts"
import { compareAge, compareIds, type SegmentDocuments } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"

/** A cursor over the documents of a set, ascending or descending. */
class Cursor {
  readonly segment: Segment
  /** The current document; -1 at the end. */
  document = -1
  readonly #set: DocumentSet
  readonly #step: 1 | -1
  /** The index of the next entry of the list, or of the current word of the bitset. */
  #at: number
  /** The bits of the current word that have yet to be visited. */
  #word = 0

  constructor({ segment, set }: SegmentDocuments, step: 1 | -1) {
    this.segment = segment
    this.#set = set
    this.#step = step
    const length = "list" in set ? set.list.length : set.bits.length
    this.#at = step === 1 ? 0 : length - 1
    if ("bits" in set) this.#word = set.bits[this.#at] ?? 0
    this.next()
  }

  next() {
    if ("list" in this.#set) {
      const { list } = this.#set
      this.document = list[this.#at] ?? -1
      this.#at += this.#step
      return
    }
    const { bits } = this.#set
    while (this.#word === 0) {
      this.#at += this.#step
      if (this.#at < 0 || this.#at >= bits.length) {
        this.document = -1
        return
      }
      this.#word = bits[this.#at] ?? 0
    }
    const bit = 31 - Math.clz32(this.#step === 1 ? this.#word & -this.#word : this.#word)
    this.#word &= ~(1 << bit)
    this.document = (this.#at << 5) + bit
  }
}

type Visit = (segment: Segment, document: number) => boolean

const cursorsOf = (hits: ReadonlyArray<SegmentDocuments>, step: 1 | -1): Array<Cursor> =>
  hits.map((one) => new Cursor(one, step)).filter(({ document }) => document >= 0)

const newestFirst = (a: Cursor, b: Cursor): number => compareAge(b.segment, b.document, a.segment, a.document)

const scanNewest = (hits: ReadonlyArray<SegmentDocuments>, visit: Visit) => {
  let cursors = cursorsOf(hits, -1)
  while (cursors.length > 0) {
    const [newest, ...others] = cursors.toSorted(newestFirst)
    const next = others[0]
    if (newest === undefined) return
    // While it stays the newest, the other cursors need no comparison.
    do {
      if (!visit(newest.segment, newest.document)) return
      newest.next()
    } while (newest.document >= 0 && (next === undefined || newestFirst(newest, next) < 0))
    if (newest.document < 0) cursors = others
  }
}

const scanOldest = (hits: ReadonlyArray<SegmentDocuments>, visit: Visit) => {
  let cursors = cursorsOf(hits, 1)
  while (cursors.length > 0) {
    const day = Math.min(...cursors.map(({ segment, document }) => segment.days[document] ?? 0))
    const ofDay: Array<{ readonly segment: Segment; readonly document: number }> = []
    for (const cursor of cursors) {
      for (; cursor.document >= 0 && cursor.segment.days[cursor.document] === day; cursor.next()) {
        ofDay.push({ segment: cursor.segment, document: cursor.document })
      }
    }
    ofDay.sort((a, b) => compareIds(a.segment, a.document, b.segment, b.document))
    if (!ofDay.every(({ segment, document }) => visit(segment, document))) return
    cursors = cursors.filter(({ document }) => document >= 0)
  }
}

/** Both visit documents by date, and those of one day by id, until `visit` returns `false`. */
export const scanByDate = { newest: scanNewest, oldest: scanOldest }

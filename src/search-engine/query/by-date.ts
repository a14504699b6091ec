import type { DocumentSet } from "../format/document-set.ts"
import { compareAge, compareIds, type Documents } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"

/** A document on a walk. */
export interface Place {
  readonly segment: Segment
  readonly document: number
}

/** Walks the documents of a set from the last to the first, or from the first to the last, as far as it is asked to. */
class Cursor {
  readonly segment: Segment
  /** Where the walk stands; -1 at its end. */
  document = -1
  readonly #set: DocumentSet
  readonly #step: 1 | -1
  /** The next entry of the list, or the word of the bitset that is being read. */
  #at: number
  #word = 0

  constructor({ segment, set }: Documents, step: 1 | -1) {
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

const cursorsOf = (hits: ReadonlyArray<Documents>, step: 1 | -1): Array<Cursor> =>
  hits.map((one) => new Cursor(one, step)).filter(({ document }) => document >= 0)

const newestFirst = (a: Cursor, b: Cursor): number => compareAge(b.segment, b.document, a.segment, a.document)

/** Visits documents newest first, and on one day by id, until `visit` answers `false`. */
export const walkNewest = (hits: ReadonlyArray<Documents>, visit: (segment: Segment, document: number) => boolean) => {
  let cursors = cursorsOf(hits, -1)
  while (cursors.length > 0) {
    const [newest, ...others] = cursors.toSorted(newestFirst)
    const next = others[0]
    if (newest === undefined) return
    // As long as it stays the newest, no other cursor has to be looked at.
    do {
      if (!visit(newest.segment, newest.document)) return
      newest.next()
    } while (newest.document >= 0 && (next === undefined || newestFirst(newest, next) < 0))
    if (newest.document < 0) cursors = others
  }
}

/** Visits documents oldest first, and on one day by id, until `visit` answers `false`. */
export const walkOldest = (hits: ReadonlyArray<Documents>, visit: (segment: Segment, document: number) => boolean) => {
  let cursors = cursorsOf(hits, 1)
  while (cursors.length > 0) {
    const day = Math.min(...cursors.map(({ segment, document }) => segment.days[document] ?? 0))
    const ofDay: Array<Place> = []
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

export const walks = { newest: walkNewest, oldest: walkOldest }

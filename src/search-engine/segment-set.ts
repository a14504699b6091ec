import { Arena, placedIn } from "./format/arena.ts"
import { allDocuments, clearBit, hasBit, listOf, subtract } from "./format/document-set.ts"
import type { Documents, Part } from "./format/part.ts"
import { bytesOfUuid, type Segment } from "./format/segment.ts"
import { changed, countParts } from "./query/facet-counts.ts"
import { foundIn } from "./query/query.ts"
import type { Cells, Snapshot } from "./types.ts"

const whole = (segment: Segment): Part => ({ segment, living: allDocuments(segment.documents), dead: 0 })

/** A part without some of its documents, which are all living. */
const without = ({ segment, living, dead }: Part, documents: ReadonlyArray<number>): Part => {
  if (documents.length === 0) return { segment, living, dead }
  const left = living.slice()
  for (const document of documents) clearBit(left, document)
  return { segment, living: left, dead: dead + documents.length }
}

/** How many arenas are kept for coming snapshots; more are made where more are read beside each other. */
const mostArenas = 4

/** The living documents of a part that are these meetings. */
const livingOf = ({ segment, living }: Part, ids: ReadonlyArray<Uint8Array>): ReadonlyArray<number> => {
  const found = ids.map((id) => segment.find(id)).filter((document) => document >= 0 && hasBit(living, document))
  return [...new Set(found)]
}

/**
 * The index as it changes: a large segment, and small ones with what has changed since. A meeting is alive in one part at
 * most. Everything a query reads is replaced and never changed in place, so a snapshot stays what it was; segments that
 * the set no longer needs are closed when the last snapshot that reads them is released.
 */
export class SegmentSet {
  #parts: ReadonlyArray<Part>
  #cells: Cells
  /** How many hold a segment open: the set itself, and each snapshot. */
  readonly #holders = new Map<Segment, number>()
  /** Those that no snapshot uses. */
  readonly #arenas: Array<Arena> = []

  /** No meeting may be in two of the segments. The set closes them. */
  constructor(segments: ReadonlyArray<Segment>) {
    this.#parts = segments.map(whole)
    this.#cells = countParts(this.#parts)
    this.#hold(segments)
  }

  /** The parts as they are now, oldest first. */
  get parts(): ReadonlyArray<Part> {
    return this.#parts
  }

  snapshot(): Snapshot {
    const [parts, cells] = [this.#parts, this.#cells]
    const segments = parts.map(({ segment }) => segment)
    this.#hold(segments)
    const arena = this.#arenas.pop() ?? new Arena()
    let isReleased = false
    return {
      documents: parts.reduce((sum, { segment, dead }) => sum + segment.documents - dead, 0),
      cells,
      find: (query) => {
        const found = placedIn(arena, () => foundIn(parts, cells, query))
        return {
          total: (narrowing) => placedIn(arena, () => found.total(narrowing)),
          cells: () => placedIn(arena, found.cells),
          among: (ids, narrowing) => placedIn(arena, () => found.among(ids, narrowing)),
          page: (request) => placedIn(arena, () => found.page(request)),
          passages: (ids) => placedIn(arena, () => found.passages(ids)),
          groups: (request) => placedIn(arena, () => found.groups(request))
        }
      },
      documentFrequency: (lexeme) =>
        segments.reduce((sum, segment) => sum + segment.frequency(segment.term(lexeme)), 0),
      release: () => {
        if (isReleased) return
        isReleased = true
        this.#release(segments)
        arena.clear()
        if (this.#arenas.length < mostArenas) this.#arenas.push(arena)
      }
    }
  }

  /**
   * Strikes these meetings out wherever they stand, then adds the segment with what has become of them (absent: nothing).
   * A part in which nothing lives any longer is dropped. Every meeting of the segment has to be among `ids`.
   */
  replace(ids: ReadonlyArray<string>, segment?: Segment) {
    const meetings = ids.map(bytesOfUuid)
    const gone = this.#parts.map((part) => livingOf(part, meetings))
    const hits = this.#parts.map(
      ({ segment }, i): Documents => ({ segment, set: { list: Uint32Array.from(gone[i] ?? []) } })
    )
    this.#cells = changed(this.#cells, hits, segment)
    const parts = this.#parts.map((part, i) => without(part, gone[i] ?? []))
    this.#put(segment === undefined ? parts : [...parts, whole(segment)])
  }

  /**
   * Puts a segment in the place of parts that it was merged from (as `parts` gave them). What has died in them since then
   * is struck out of it; of a part that has left the set in the meantime, that is everything.
   */
  substitute(merged: ReadonlyArray<Part>, segment: Segment) {
    const died = merged.flatMap(({ segment: source, living }) => {
      const now = this.#parts.find((part) => part.segment === source)?.living ?? new Uint32Array(living.length)
      const documents = listOf(subtract({ bits: living }, { bits: now }, source.documents))
      return [...documents].map((document) => source.ids.subarray(document * 16, document * 16 + 16))
    })
    const part = whole(segment)
    const isMerged = (one: Part) => merged.some((before) => before.segment === one.segment)
    const first = this.#parts.findIndex(isMerged)
    const rest = this.#parts.filter((one) => !isMerged(one))
    this.#put(rest.toSpliced(first < 0 ? rest.length : first, 0, without(part, livingOf(part, died))))
  }

  /** Nothing can be asked of the set afterwards but what snapshots still read. Idempotent. */
  close() {
    this.#put([])
  }

  #put(parts: ReadonlyArray<Part>) {
    const kept = parts.filter(({ segment, dead }, i) => i === 0 || dead < segment.documents)
    const [before, after] = [this.#parts, kept].map((some) => some.map(({ segment }) => segment))
    this.#parts = kept
    this.#hold((after ?? []).filter((segment) => before?.includes(segment) === false))
    this.#release((before ?? []).filter((segment) => after?.includes(segment) === false))
    // A segment that came in empty or dead was never held.
    for (const { segment } of parts) if (!this.#holders.has(segment)) segment.close()
  }

  #hold(segments: ReadonlyArray<Segment>) {
    for (const segment of segments) this.#holders.set(segment, (this.#holders.get(segment) ?? 0) + 1)
  }

  #release(segments: ReadonlyArray<Segment>) {
    for (const segment of segments) {
      const holders = (this.#holders.get(segment) ?? 1) - 1
      if (holders > 0) this.#holders.set(segment, holders)
      else {
        this.#holders.delete(segment)
        segment.close()
      }
    }
  }
}

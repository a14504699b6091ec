import { Arena, withArena } from "./format/arena.ts"
import { allDocuments, clearBit, difference, hasBit, listOf } from "./format/document-set.ts"
import type { Part, SegmentDocuments } from "./format/part.ts"
import { bytesOfUuid, type Segment } from "./format/segment.ts"
import { countParts, updatedCounts } from "./query/facet-counts.ts"
import { searchParts } from "./query/query.ts"
import type { FacetCounts, Snapshot } from "./types.ts"

const wholePart = (segment: Segment): Part => ({ segment, live: allDocuments(segment.documents), deleted: 0 })

/** A part after deleting some documents, all of which were live. */
const withDeletions = ({ segment, live, deleted }: Part, documents: ReadonlyArray<number>): Part => {
  if (documents.length === 0) return { segment, live, deleted }
  const remaining = live.slice()
  for (const document of documents) clearBit(remaining, document)
  return { segment, live: remaining, deleted: deleted + documents.length }
}

/** The most arenas that are pooled; more are allocated while more snapshots are open. */
const pooledArenas = 4

/** These meetings' live documents in a part. */
const liveDocumentsOf = ({ segment, live }: Part, ids: ReadonlyArray<Uint8Array>): ReadonlyArray<number> => {
  const documents = ids
    .map((id) => segment.documentOf(id))
    .filter((document) => document >= 0 && hasBit(live, document))
  return [...new Set(documents)]
}

/**
 * The mutable index: a large base segment, and small ones with later changes. A meeting is live in at most one part.
 * Parts are immutable and replaced as a whole, so a snapshot never changes; a segment that leaves the set is closed
 * when the last snapshot that reads it is released.
 */
export class SegmentSet {
  #parts: ReadonlyArray<Part>
  #facetCounts: FacetCounts
  /** Reference counts of open segments: one for the set itself, and one for each snapshot. */
  readonly #references = new Map<Segment, number>()
  /** Arenas that no snapshot is using. */
  readonly #arenas: Array<Arena> = []

  /** No meeting may be in two of the segments. The set takes ownership and closes them. */
  constructor(segments: ReadonlyArray<Segment>) {
    this.#parts = segments.map(wholePart)
    this.#facetCounts = countParts(this.#parts)
    this.#retain(segments)
  }

  /** The current parts, oldest first. Immutable. */
  get parts(): ReadonlyArray<Part> {
    return this.#parts
  }

  snapshot(): Snapshot {
    const [parts, facetCounts] = [this.#parts, this.#facetCounts]
    const segments = parts.map(({ segment }) => segment)
    this.#retain(segments)
    const arena = this.#arenas.pop() ?? new Arena()
    let isReleased = false
    return {
      documents: parts.reduce((sum, { segment, deleted }) => sum + segment.documents - deleted, 0),
      facetCounts,
      search: (query) => {
        const result = withArena(arena, () => searchParts(parts, facetCounts, query))
        return {
          total: (filter) => withArena(arena, () => result.total(filter)),
          facetCounts: () => withArena(arena, result.facetCounts),
          months: (filter) => withArena(arena, () => result.months(filter)),
          filterIds: (ids, filter) => withArena(arena, () => result.filterIds(ids, filter)),
          page: (request) => withArena(arena, () => result.page(request)),
          passages: (ids) => withArena(arena, () => result.passages(ids)),
          printed: (ids) => withArena(arena, () => result.printed(ids)),
          spoken: (ids, lexemes) => withArena(arena, () => result.spoken(ids, lexemes)),
          lacking: (filter) => withArena(arena, () => result.lacking(filter)),
          groups: (request) => withArena(arena, () => result.groups(request))
        }
      },
      documentFrequency: (lexeme) =>
        segments.reduce((sum, segment) => sum + segment.frequency(segment.term(lexeme)), 0),
      release: () => {
        if (isReleased) return
        isReleased = true
        this.#release(segments)
        arena.clear()
        if (this.#arenas.length < pooledArenas) this.#arenas.push(arena)
      }
    }
  }

  /**
   * Deletes these meetings from every part, then adds the segment with their new state (absent: all were removed). A
   * part without live documents is dropped. Every meeting of the segment has to be among `ids`.
   */
  replace(ids: ReadonlyArray<string>, segment?: Segment) {
    const meetings = ids.map(bytesOfUuid)
    const gone = this.#parts.map((part) => liveDocumentsOf(part, meetings))
    const deletions = this.#parts.map(
      ({ segment }, i): SegmentDocuments => ({ segment, set: { list: Uint32Array.from(gone[i] ?? []) } })
    )
    this.#facetCounts = updatedCounts(this.#facetCounts, deletions, segment)
    const parts = this.#parts.map((part, i) => withDeletions(part, gone[i] ?? []))
    this.#put(segment === undefined ? parts : [...parts, wholePart(segment)])
  }

  /**
   * Replaces parts by the segment that they were merged into (`parts` as returned earlier). Documents deleted from them
   * since then are deleted from it too; for a part that has left the set in the meantime, that is all of them.
   */
  substitute(merged: ReadonlyArray<Part>, segment: Segment) {
    const deletedSince = merged.flatMap(({ segment: source, live }) => {
      const now = this.#parts.find((part) => part.segment === source)?.live ?? new Uint32Array(live.length)
      const documents = listOf(difference({ bits: live }, { bits: now }, source.documents))
      return [...documents].map((document) => source.ids.subarray(document * 16, document * 16 + 16))
    })
    const part = wholePart(segment)
    const isMerged = (one: Part) => merged.some((source) => source.segment === one.segment)
    const first = this.#parts.findIndex(isMerged)
    const rest = this.#parts.filter((one) => !isMerged(one))
    const substitute = withDeletions(part, liveDocumentsOf(part, deletedSince))
    this.#put(rest.toSpliced(first < 0 ? rest.length : first, 0, substitute))
  }

  /** Empties the set; open snapshots stay readable. Idempotent. */
  close() {
    this.#put([])
  }

  #put(parts: ReadonlyArray<Part>) {
    const remaining = parts.filter(({ segment, deleted }, i) => i === 0 || deleted < segment.documents)
    const [before, after] = [this.#parts, remaining].map((some) => some.map(({ segment }) => segment))
    this.#parts = remaining
    this.#retain((after ?? []).filter((segment) => before?.includes(segment) === false))
    this.#release((before ?? []).filter((segment) => after?.includes(segment) === false))
    // A new segment without live documents was never retained.
    for (const { segment } of parts) if (!this.#references.has(segment)) segment.close()
  }

  #retain(segments: ReadonlyArray<Segment>) {
    for (const segment of segments) this.#references.set(segment, (this.#references.get(segment) ?? 0) + 1)
  }

  #release(segments: ReadonlyArray<Segment>) {
    for (const segment of segments) {
      const references = (this.#references.get(segment) ?? 1) - 1
      if (references > 0) this.#references.set(segment, references)
      else {
        this.#references.delete(segment)
        segment.close()
      }
    }
  }
}

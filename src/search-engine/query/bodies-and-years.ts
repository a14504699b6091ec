import { zeros } from "../format/arena.ts"
import { type DocumentSet, intersect, intersectRanges, type Range, setBit } from "../format/document-set.ts"
import { bitsetWords } from "../format/layout.ts"
import { Hits } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"
import type { PostFilter } from "../types.ts"

/**
 * The documents of a set whose bodies are chosen, by body key. The segment lists those of each body, so no bitset is
 * scanned.
 */
export const ofBodies = (segment: Segment, set: DocumentSet, chosen: Uint8Array): DocumentSet => {
  const { bodies } = segment
  if ("list" in set) return { list: set.list.filter((document) => (chosen[bodies[document] ?? 0] ?? 0) !== 0) }
  const bits = zeros(bitsetWords(segment.documents))
  for (let body = 0; body < chosen.length; body++) {
    if (chosen[body] === 0) continue
    const documents = segment.ofBody(body)
    for (let i = 0; i < documents.length; i++) setBit(bits, documents[i] ?? 0)
  }
  return intersect(set, { bits })
}

/** The documents of a set that are of some years. */
const ofYears = (segment: Segment, set: DocumentSet, years: ReadonlyArray<number>): DocumentSet => {
  const chosen = new Set(years)
  const ranges: ReadonlyArray<Range> = segment.yearRanges.filter(({ year }) => chosen.has(year))
  return intersectRanges(set, ranges)
}

/** The hits that pass a filter. */
export const postFiltered = (hits: ReadonlyArray<Hits>, { bodies, years }: PostFilter): ReadonlyArray<Hits> =>
  bodies === undefined && years === undefined
    ? hits
    : hits.map(({ segment, set }) => {
        const inYears = years === undefined ? set : ofYears(segment, set, years)
        return new Hits(segment, bodies === undefined ? inYears : ofBodies(segment, inYears, bodies))
      })

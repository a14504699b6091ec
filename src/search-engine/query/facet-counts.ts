import { zeros } from "../format/arena.ts"
import { forEachDocument, lowerBound, type Range, rangeMask } from "../format/document-set.ts"
import { bitsetWords } from "../format/layout.ts"
import type { Part, SegmentDocuments } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"
import type { FacetCounts } from "../types.ts"

type Shape = Pick<FacetCounts, "bodies" | "years">

/** The bodies and years of all documents of these segments. Only years that occur are columns, however far apart. */
const shapeOf = (segments: ReadonlyArray<Segment>, atLeast?: Shape): Shape => {
  const years = new Set(atLeast?.years)
  let bodies = atLeast?.bodies ?? 0
  for (const segment of segments) {
    for (const { year } of segment.yearRanges) years.add(year)
    for (const body of segment.bodies) if (body >= bodies) bodies = body + 1
  }
  return { bodies, years: [...years].sort((a, b) => a - b) }
}

/** The column of each year, indexed from the first year on. */
const columnsOf = (years: ReadonlyArray<number>): { readonly first: number; readonly columns: Uint16Array } => {
  const first = years[0] ?? 0
  const columns = new Uint16Array((years.at(-1) ?? first) - first + 1)
  for (const [column, year] of years.entries()) columns[year - first] = column
  return { first, columns }
}

/** Counts the documents of a bitset that are in a range, by body. */
const countRange = (counts: Uint32Array, bodies: Uint32Array, bits: Uint32Array, { from, to }: Range) => {
  for (let at = from >>> 5, end = bitsetWords(to); at < end; at++) {
    for (let word = (bits[at] ?? 0) & rangeMask(at, from, to); word !== 0; word &= word - 1) {
      const body = bodies[(at << 5) + 31 - Math.clz32(word & -word)] ?? 0
      counts[body] = (counts[body] ?? 0) + 1
    }
  }
}

/**
 * Counts documents by year and body, in a shape with room for all of these. A year's documents are adjacent, and so are
 * its counts, which stay in the CPU cache.
 */
export const countHits = ({ bodies, years }: Shape, hits: ReadonlyArray<SegmentDocuments>): FacetCounts => {
  const counts = zeros(bodies * years.length)
  for (const { segment, set } of hits) {
    for (const range of segment.yearRanges) {
      const column = years.indexOf(range.year)
      const ofYear = counts.subarray(column * bodies, (column + 1) * bodies)
      if ("bits" in set) countRange(ofYear, segment.bodies, set.bits, range)
      else {
        const { list } = set
        for (let i = lowerBound(list, range.from, 0), end = lowerBound(list, range.to, i); i < end; i++) {
          const body = segment.bodies[list[i] ?? 0] ?? 0
          ofYear[body] = (ofYear[body] ?? 0) + 1
        }
      }
    }
  }
  return { bodies, years, counts }
}

/** Counts all live documents. */
export const countParts = (parts: ReadonlyArray<Part>): FacetCounts =>
  countHits(
    shapeOf(parts.map(({ segment }) => segment)),
    parts.map(({ segment, live }) => ({ segment, set: { bits: live } }))
  )

/** The counts in a shape that has room for another segment. */
const widened = (before: FacetCounts, segment: Segment): FacetCounts => {
  const shape = shapeOf([segment], before)
  const counts = new Uint32Array(shape.bodies * shape.years.length)
  const columns = before.years.map((year) => shape.years.indexOf(year))
  for (const [i, column] of columns.entries()) {
    counts.set(before.counts.subarray(i * before.bodies, (i + 1) * before.bodies), column * shape.bodies)
  }
  return { ...shape, counts }
}

/** The counts after some documents were deleted and a segment was added. */
export const updatedCounts = (
  before: FacetCounts,
  deletions: ReadonlyArray<SegmentDocuments>,
  added: Segment | undefined
): FacetCounts => {
  const { bodies, years, counts } =
    added === undefined ? { ...before, counts: before.counts.slice() } : widened(before, added)
  const { first, columns } = columnsOf(years)
  const add = (segment: Segment, document: number, difference: number) => {
    const column = columns[(segment.years[document] ?? 0) - first] ?? 0
    const at = column * bodies + (segment.bodies[document] ?? 0)
    counts[at] = (counts[at] ?? 0) + difference
  }
  for (const { segment, set } of deletions) forEachDocument(set, (document) => add(segment, document, -1))
  if (added !== undefined) for (let document = 0; document < added.documents; document++) add(added, document, 1)
  return { bodies, years, counts }
}

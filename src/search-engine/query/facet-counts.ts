import { zeros } from "../format/arena.ts"
import { eachOf, lowerBound, type Range, wordBetween } from "../format/document-set.ts"
import { bitsetWords } from "../format/layout.ts"
import type { Documents, Part } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"
import type { Cells } from "../types.ts"

/** The bodies and years that any document of these segments has. A year is a column only if it occurs, however far off. */
const shapeOf = (segments: ReadonlyArray<Segment>, atLeast?: Cells): Pick<Cells, "bodies" | "years"> => {
  const years = new Set(atLeast?.years)
  let bodies = atLeast?.bodies ?? 0
  for (const segment of segments) {
    for (const { year } of segment.yearRanges) years.add(year)
    for (const body of segment.bodies) if (body >= bodies) bodies = body + 1
  }
  return { bodies, years: [...years].sort((a, b) => a - b) }
}

/** By year, from the first on, the column of a year. */
const columnsOf = (years: ReadonlyArray<number>): { readonly first: number; readonly columns: Uint16Array } => {
  const first = years[0] ?? 0
  const columns = new Uint16Array((years.at(-1) ?? first) - first + 1)
  for (const [column, year] of years.entries()) columns[year - first] = column
  return { first, columns }
}

/** Adds the documents of a bitset that are in a range to the counts of their bodies. */
const countRange = (counts: Uint32Array, bodies: Uint32Array, bits: Uint32Array, { from, to }: Range) => {
  for (let at = from >>> 5, end = bitsetWords(to); at < end; at++) {
    for (let word = (bits[at] ?? 0) & wordBetween(at, from, to); word !== 0; word &= word - 1) {
      const body = bodies[(at << 5) + 31 - Math.clz32(word & -word)] ?? 0
      counts[body] = (counts[body] ?? 0) + 1
    }
  }
}

/**
 * Counts some documents by year and body. Every document's year and body are in the shape. The documents of a year are next
 * to each other, and so are its counts, which stay within the processor's cache.
 */
const count = ({ bodies, years }: Pick<Cells, "bodies" | "years">, hits: ReadonlyArray<Documents>): Cells => {
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

/** The documents of a query by the bodies and years of the whole index. */
export const countHits = count

/** All living documents of some parts. */
export const countParts = (parts: ReadonlyArray<Part>): Cells =>
  count(
    shapeOf(parts.map(({ segment }) => segment)),
    parts.map(({ segment, living }) => ({ segment, set: { bits: living } }))
  )

/** The counts in the shape that has room for another segment. */
const widened = (cells: Cells, segment: Segment): Cells => {
  const shape = shapeOf([segment], cells)
  const counts = new Uint32Array(shape.bodies * shape.years.length)
  const columns = cells.years.map((year) => shape.years.indexOf(year))
  for (const [i, column] of columns.entries()) {
    counts.set(cells.counts.subarray(i * cells.bodies, (i + 1) * cells.bodies), column * shape.bodies)
  }
  return { ...shape, counts }
}

/** The counts once some documents have been taken out and those of a segment have come in. */
export const changed = (cells: Cells, gone: ReadonlyArray<Documents>, added: Segment | undefined): Cells => {
  const { bodies, years, counts } =
    added === undefined ? { ...cells, counts: cells.counts.slice() } : widened(cells, added)
  const { first, columns } = columnsOf(years)
  const add = (segment: Segment, document: number, difference: number) => {
    const column = columns[(segment.years[document] ?? 0) - first] ?? 0
    const cell = column * bodies + (segment.bodies[document] ?? 0)
    counts[cell] = (counts[cell] ?? 0) + difference
  }
  for (const { segment, set } of gone) eachOf(set, (document) => add(segment, document, -1))
  if (added !== undefined) for (let document = 0; document < added.documents; document++) add(added, document, 1)
  return { bodies, years, counts }
}

import { intersect, listOf } from "./document-set.ts"
import { holdingAll } from "./phrases.ts"
import { firstStretch } from "./positions.ts"
import { Positions, positionsOf } from "./postings.ts"
import type { Segment } from "./segment.ts"

/** Words of `named` stand near each other within so many words. */
const nearWords = 16

/** What a place in `named` counts for beside a stretch of speech. */
const namedPlace = 3

/** Whether two words stand near each other: in `named` within 16 words, in speech in one stretch (or in 256 words of it). */
const areNear = (a: number, b: number): boolean =>
  a < firstStretch || b < firstStretch ? Math.abs(a - b) < nearWords : a >>> 8 === b >>> 8

/** How often all the words stand near one of the rarest: 3 for each such place in `named`, 1 for each such stretch. */
const nearPlaces = (rarest: Int32Array, others: ReadonlyArray<Int32Array>): number => {
  const reached = others.map(() => 0)
  let places = 0
  let stretch = -1
  for (const position of rarest) {
    const isNamed = position < firstStretch
    if (!isNamed && position >>> 8 === stretch) continue
    const isPlace = others.every((positions, i) => {
      let at = reached[i] ?? 0
      while ((positions[at] ?? position) < position && !areNear(positions[at] ?? 0, position)) at++
      reached[i] = at
      return at < positions.length && areNear(positions[at] ?? 0, position)
    })
    if (!isPlace) continue
    places += isNamed ? namedPlace : 1
    if (!isNamed) stretch = position >>> 8
  }
  return places
}

/**
 * How near each other some lexemes stand, for those of the documents (rising) that hold them all: by document, the places
 * where they stand together.
 */
export const nearness = (
  segment: Segment,
  lexemes: ReadonlyArray<string>,
  documents: Uint32Array
): ReadonlyMap<number, number> => {
  const together = listOf(intersect({ list: documents }, holdingAll(segment, lexemes)))
  const terms = lexemes
    .map((lexeme) => segment.term(lexeme))
    .toSorted((a, b) => segment.frequency(a) - segment.frequency(b))
  if (together.length === 0) return new Map()
  const lists = terms.map((term) => positionsOf(segment, term, together))
  return new Map(
    [...together].map((document, i) => {
      const [rarest = new Int32Array(0), ...others] = lists.map(({ bytes, starts }) => {
        const positions = new Positions()
        const count = positions.read(bytes, starts[i] ?? 0)
        return positions.values.subarray(0, count)
      })
      return [document, nearPlaces(rarest, others)]
    })
  )
}

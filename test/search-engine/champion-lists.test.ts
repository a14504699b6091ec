import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type DocumentSet, has, listOf, sizeOf, union } from "../../src/search-engine/format/document-set.ts"
import { Hits } from "../../src/search-engine/format/part.ts"
import type { Segment } from "../../src/search-engine/format/segment.ts"
import { championList, topByImpact, type WeightedTerm } from "../../src/search-engine/query/champion-lists.ts"
import { gatherImpacts } from "../../src/search-engine/query/impacts.ts"
import { compareScores, type ScoredDocument } from "../../src/search-engine/query/top-k.ts"
import { indexRow } from "../support/copy-rows.ts"
import { segmentFolder } from "../support/open-index.ts"

const meetings = 1_500

/**
 * "parks" and "roads" are in many meetings, more or less often and among more or fewer other words; "flat" is the same
 * in all; "rare" is in few.
 */
const rows = Array.from({ length: meetings }, (_, n) => {
  const times = (every: number, most: number) => (n % every === 0 ? (n * 7919) % most : 0)
  const said = (word: string, count: number) => Array.from({ length: count }, () => `${word} and so on`)
  return indexRow(
    { id: `00000000-0000-4000-8000-1${n.toString().padStart(11, "0")}`, body: n % 7, day: 8_000 + Math.floor(n / 3) },
    {
      title: n % 97 === 0 ? "parks" : "board",
      said: [
        ...said("parks", times(2, 13)),
        ...said("roads", times(3, 11)),
        ...said("rare", n % 400 === 0 ? 2 : 0),
        "flat and so on"
      ]
    }
  )
})

const setsOf = (segment: Segment, lexemes: ReadonlyArray<string>) =>
  lexemes.map((lexeme) => segment.setOf(segment.term(lexeme)))

/** Every document is scored and sorted. */
const oracle = (segment: Segment, set: DocumentSet, terms: ReadonlyArray<WeightedTerm>, size: number) => {
  const impacts = terms.map(({ term }) => gatherImpacts(segment, term, set, sizeOf(set)))
  return Array.from(
    listOf(set),
    (document, ordinal): ScoredDocument => ({
      segment,
      document,
      score: terms.reduce((sum, { weight }, i) => sum + weight * (impacts[i]?.[ordinal] ?? 0), 0)
    })
  )
    .toSorted(compareScores)
    .slice(0, size)
}

describe("a champion list", () => {
  it("has at most an eighth of a term's documents, and its bound holds for all others", async () => {
    using folder = segmentFolder()
    const segment = await folder.segment(rows)
    for (const lexeme of ["parks", "roads", "flat", "rare"]) {
      const term = segment.term(lexeme)
      const set = segment.setOf(term)
      const { documents, maxOtherImpact } = championList(segment, term)
      const impacts = gatherImpacts(segment, term, set, sizeOf(set))
      for (const [ordinal, document] of listOf(set).entries()) {
        assert.strictEqual(has(documents, document), (impacts[ordinal] ?? 0) > maxOtherImpact, `${lexeme} ${document}`)
      }
      if (segment.isDense(term)) assert.isAtMost(sizeOf(documents), sizeOf(set) / 8)
    }
    assert.isAbove(sizeOf(championList(segment, segment.term("parks")).documents), 50)
    assert.strictEqual(sizeOf(championList(segment, segment.term("flat")).documents), 0)
    segment.close()
  })

  it("gives the same best documents as scoring all of them, in the same order", async () => {
    using folder = segmentFolder()
    const segment = await folder.segment(rows)
    const lexemes = ["parks", "roads", "flat", "rare"]
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({ lexeme: fc.constantFrom(...lexemes), weight: fc.double({ min: 0.001, max: 3, noNaN: true }) }),
          { minLength: 1, maxLength: 4, selector: ({ lexeme }) => lexeme }
        ),
        fc.integer({ min: 1, max: 80 }),
        (weighted, k) => {
          const terms = weighted.map(({ lexeme, weight }) => ({ term: segment.term(lexeme), weight }))
          const set = setsOf(
            segment,
            weighted.map(({ lexeme }) => lexeme)
          ).reduce((a, b) => union(a, b, segment.documents))
          const found = topByImpact(new Hits(segment, set), terms, k)
          const expected = oracle(segment, set, terms, k)
          assert.deepStrictEqual(
            found.map(({ document, score }) => ({ document, score })),
            expected.map(({ document, score }) => ({ document, score }))
          )
        }
      ),
      { numRuns: 300 }
    )
    segment.close()
  })
})

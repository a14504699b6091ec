import { assert, describe, it } from "@effect/vitest"
import { Arena, copyOf, withArena, zeros } from "../../src/search-engine/format/arena.ts"
import { SegmentSet } from "../../src/search-engine/segment-set.ts"
import type { IndexQuery, ResultSet } from "../../src/search-engine/types.ts"
import { indexRow } from "../support/copy-rows.ts"
import { segmentFolder } from "../support/open-index.ts"

const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`

/** Enough meetings with two common words, often consecutive, to use bitsets and several chunks of an arena. */
const rows = Array.from({ length: 3_000 }, (_, n) =>
  indexRow(
    { id: idOf(n), body: n % 500, day: n },
    { title: n % 2 === 0 ? "storm water" : "water", items: "", said: [n % 3 === 0 ? "storm water" : "calm water"] }
  )
)

const queryFor = (...lexemes: ReadonlyArray<string>): IndexQuery => ({ either: [{ lexemes }] })
const phrase: IndexQuery = {
  either: [
    {
      phrases: [
        [
          { lexeme: "storm", at: 1 },
          { lexeme: "water", at: 2 }
        ]
      ]
    }
  ]
}

/** A copy of every answer about a result. */
const answersOf = ({ total, facetCounts, page }: ResultSet) => ({
  total: total({}),
  counts: [...facetCounts().counts],
  page: page({ order: "relevance", offset: 0, limit: 30 }),
  oldest: page({ order: "oldest", offset: 0, limit: 30, years: [2000, 2003] })
})

describe("an arena", () => {
  it("gives zeros where an earlier query wrote, and never the same memory twice in one query", () => {
    const arena = new Arena()
    for (const length of [3, 1_000_000, 5]) {
      withArena(arena, () => {
        const [a, b] = [zeros(length), zeros(length)]
        assert.isTrue(a.every((n) => n === 0) && b.every((n) => n === 0))
        a.fill(1)
        assert.isTrue(b.every((n) => n === 0))
        assert.deepStrictEqual(copyOf(a), a)
        b.fill(2)
      })
      arena.clear()
    }
    assert.notStrictEqual(zeros(3).buffer, zeros(3).buffer)
  })

  it("belongs to one snapshot until that is released, and cached phrases are outside it", async () => {
    using folder = segmentFolder()
    const set = new SegmentSet([await folder.segment(rows)])
    const first = set.snapshot()
    const queries = [queryFor("storm"), queryFor("calm", "water"), phrase]
    const results = queries.map((query) => first.search(query))
    const before = results.map(answersOf)
    for (let round = 0; round < 3; round++) {
      const other = set.snapshot()
      for (const query of queries.toReversed()) answersOf(other.search(query))
      other.release()
    }
    assert.deepStrictEqual(results.map(answersOf), before)
    first.release()
    const again = set.snapshot()
    assert.deepStrictEqual(
      queries.map((query) => answersOf(again.search(query))),
      before
    )
    again.release()
    set.close()
  })
})

import { assert, describe, it } from "@effect/vitest"
import { listsOf, neighborsOf } from "../../src/text/neighbors.ts"

const found = (windows: ReadonlyArray<ReadonlyArray<number>>, terms: number, bounds = { most: 3, least: 0.4 }) => {
  const work = neighborsOf(listsOf(windows), terms, bounds)
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value
}

const times = (count: number, window: ReadonlyArray<number>) => Array.from({ length: count }, () => window)

// Terms 0 and 1 are never said together, and both with 2 and 3; 4 and 5 keep company of their own.
const windows = [
  ...times(20, [0, 2, 3]),
  ...times(20, [1, 2, 3]),
  ...times(40, [4, 5]),
  ...times(200, [6]),
  ...times(2, [6, 0])
]

describe("the neighbors of words", () => {
  it("are those that are said in the same company, if never together, and no others", () => {
    const near = found(windows, 7).map((list) => list.map(({ term }) => term))
    assert.strictEqual(near[0]?.[0], 1)
    assert.strictEqual(near[1]?.[0], 0)
    assert.deepStrictEqual(near[6], [])
    for (const [term, list] of near.entries()) {
      assert.notInclude(list, term)
      assert.isAtMost(list.length, 3)
      for (const other of list) assert.strictEqual(term >= 4, other >= 4, `${term} is like ${other}`)
    }
  })

  it("are alike as much one way as the other, from the least that is asked for up to 1", () => {
    const near = found(windows, 7, { most: 7, least: 0.1 })
    for (const [term, list] of near.entries()) {
      for (const { term: other, likeness } of list) {
        assert.isAtLeast(likeness, 0.1)
        assert.isAtMost(likeness, 1 + 1e-9)
        assert.closeTo(near[other]?.find((back) => back.term === term)?.likeness ?? 0, likeness, 1e-9)
      }
      assert.deepStrictEqual(
        list.map(({ likeness }) => likeness),
        list.map(({ likeness }) => likeness).toSorted((a, b) => b - a)
      )
    }
  })

  it("are none of a record without words", () => {
    assert.deepStrictEqual(found([], 0), [])
    assert.deepStrictEqual(found([[], [0]], 1), [[]])
  })
})

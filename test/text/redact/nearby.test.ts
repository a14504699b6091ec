import { assert, describe, it } from "@effect/vitest"
import { nearbyOf, wordOf } from "../../../src/text/redact/nearby.ts"
import { judgeWith, type Reader, states, tagWith } from "../../../src/text/redact/reader.ts"
import { tokensOf } from "../../../src/text/redact/tokens.ts"
import { numbers, vectorsOf } from "../../../src/text/redact/word-vectors.ts"

describe("words as they are read", () => {
  it("are told with what ends after them, and of numbers how many digits they have", () => {
    assert.deepStrictEqual(tokensOf("I am Ann. I live at 12 Oak, with 3 cats?", 0).map(wordOf), [
      ...["0i", "0am", "1ann", "0i", "0live", "0at", "0#2", "3oak", "0with", "0#1", "2cats"]
    ])
  })

  it("are at most 40 before a span, ten of its own and 30 after it", () => {
    const tokens = tokensOf("word ".repeat(200), 0)
    const lengths = (from: number, to: number) => nearbyOf(tokens, { from, to }).map((part) => part.length)
    assert.deepStrictEqual(lengths(100, 120), [40, 10, 30])
    assert.deepStrictEqual(lengths(20, 22), [20, 2, 30])
    assert.deepStrictEqual(lengths(0, 200), [0, 10, 0])
  })

  it("are like others that are used like them", () => {
    for (const network of ["judge", "tagger"] as const) {
      const vectorOf = vectorsOf(network)
      const likeness = (one: string, other: string) => {
        const vector = vectorOf(other)
        return vectorOf(one).reduce((sum, number, at) => sum + number * (vector[at] ?? 0), 0)
      }
      assert.isAbove(likeness("porch", "yard"), likeness("porch", "ordinance"))
      assert.deepStrictEqual(vectorOf("qqzzx"), vectorOf("zzqqx"))
    }
  })
})

const ones = (length: number, at: ReadonlyArray<number>) => {
  const array = new Float32Array(length)
  for (const place of at) array[place] = 1
  return array
}

/**
 * A reader whose state has in its first place one half of the state before and, after a sentence that ends, `fresh`;
 * and that sums up one place of what was found, of so many.
 */
const readerOf = (place: number, found: number): Reader => {
  const direction = {
    ofWord: ones(3 * states * numbers, [2 * states * numbers]),
    ofState: new Float32Array(3 * states * states),
    wordOffset: new Float32Array(3 * states),
    stateOffset: new Float32Array(3 * states)
  }
  return {
    vectorOf: () => new Float32Array(numbers),
    marks: ones(4 * numbers, [1 * numbers]),
    offset: new Float32Array(numbers),
    directions: [direction, direction],
    hidden: ones(found * states * states, [place]),
    hiddenOffset: new Float32Array(states),
    output: new Float32Array(states).fill(1),
    bias: 2
  }
}
const fresh = Math.tanh(1) / 2
const words = ["0a", "1b", "0c", "0d", "0e"]

describe("judging", () => {
  const judged = (place: number): number => judgeWith(readerOf(place, 8))([["0a", "1b"], ["0c", "0d"], ["0e"]]) - 2

  it("goes forward, and keeps some of what was read", () => {
    const [before, within, after, mean] = [0, 2, 4, 6].map((part) => judged(part * states))
    assert.closeTo(before ?? 0, fresh, 1e-4)
    assert.closeTo(within ?? 0, fresh / 2, 1e-4)
    assert.closeTo(after ?? 0, fresh / 8, 1e-4)
    assert.closeTo(mean ?? 0, (fresh / 2 + fresh / 4) / 2, 1e-4)
  })

  it("goes backward", () => {
    const [before, within] = [1, 3].map((part) => judged(part * states))
    assert.closeTo(before ?? 0, fresh, 1e-4)
    assert.closeTo(within ?? 0, 0, 1e-4)
  })
})

describe("tagging", () => {
  it("tells of each word what both directions make of it", () => {
    const [forward = [], backward = []] = [0, states].map((place) => tagWith(readerOf(place, 2))(words))
    const isNear = (tags: ReadonlyArray<number>, shares: ReadonlyArray<number>) =>
      shares.forEach((share, at) => {
        assert.closeTo((tags[at] ?? 0) - 2, fresh * share, 1e-4)
      })
    isNear(forward, [0, 1, 1 / 2, 1 / 4, 1 / 8])
    isNear(backward, [1 / 2, 1, 0, 0, 0])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { nearbyOf } from "../../../src/text/redact/nearby.ts"
import { readWith, states } from "../../../src/text/redact/reader.ts"
import { tokensOf } from "../../../src/text/redact/tokens.ts"
import { numbers, vectorOf } from "../../../src/text/redact/word-vectors.ts"

describe("the words around a span", () => {
  it("are told in their order, with what ends after them, and of numbers how many digits they have", () => {
    const tokens = tokensOf("I am Ann. I live at 12 Oak, with 3 cats?", 0)
    assert.deepStrictEqual(nearbyOf(tokens, { from: 6, to: 8 }), [
      ["0i", "0am", "1ann", "0i", "0live", "0at"],
      ["0#2", "3oak"],
      ["0with", "0#1", "2cats"]
    ])
  })

  it("are at most 40 before it, ten of its own and 30 after it", () => {
    const tokens = tokensOf("word ".repeat(200), 0)
    assert.deepStrictEqual(
      nearbyOf(tokens, { from: 100, to: 120 }).map((part) => part.length),
      [40, 10, 30]
    )
  })

  it("are like others that are used like them", () => {
    const likeness = (one: string, other: string) => {
      const vector = vectorOf(other)
      return vectorOf(one).reduce((sum, number, at) => sum + number * (vector[at] ?? 0), 0)
    }
    assert.isAbove(likeness("porch", "yard"), likeness("porch", "ordinance"))
    assert.deepStrictEqual(vectorOf("qqzzx"), vectorOf("zzqqx"))
  })
})

/** A reader all of whose weights are 0, but for these places of its arrays. */
const readerOf = (places: {
  readonly marks: ReadonlyArray<number>
  readonly ofWord: ReadonlyArray<number>
  readonly hidden: ReadonlyArray<number>
}) => {
  const ones = (length: number, at: ReadonlyArray<number>) => {
    const array = new Float32Array(length)
    for (const place of at) array[place] = 1
    return array
  }
  const direction = {
    ofWord: ones(3 * states * numbers, places.ofWord),
    ofState: new Float32Array(3 * states * states),
    wordOffset: new Float32Array(3 * states),
    stateOffset: new Float32Array(3 * states)
  }
  return {
    marks: ones(7 * numbers, places.marks),
    offset: new Float32Array(numbers).fill(-1000),
    directions: [direction, direction],
    hidden: ones(8 * states * states, places.hidden),
    hiddenOffset: new Float32Array(states),
    output: new Float32Array(states).fill(1)
  }
}

describe("reading", () => {
  // The first number of what is read is 1 after a sentence that ends, else 0, and new in the first place of the state,
  // of which each word keeps one half.
  const marks = [1 * numbers]
  const ofWord = [2 * states * numbers]
  const offset = new Float32Array(numbers).fill(-1000)
  const fresh = Math.tanh(1) / 2
  const nearby = [["0a", "1b"], ["0c", "0d"], ["0e"]] as const
  const sumOf = (hidden: number): number => {
    const reader = readerOf({ marks, ofWord, hidden: [hidden] })
    // The words' own vectors are out of sight, but in the first place, where the mark outweighs them.
    reader.offset.set(offset)
    reader.marks[numbers] = 1000 + 1 - (vectorOf("b")[0] ?? 0)
    return readWith(reader)(nearby)
  }

  it("goes forward, and keeps some of what was read", () => {
    const [before, within, after, mean] = [0, 2 * states, 4 * states, 6 * states].map(sumOf)
    assert.closeTo(before ?? 0, fresh, 1e-4)
    assert.closeTo(within ?? 0, fresh / 2, 1e-4)
    assert.closeTo(after ?? 0, fresh / 8, 1e-4)
    assert.closeTo(mean ?? 0, (fresh / 2 + fresh / 4) / 2, 1e-4)
  })

  it("goes backward", () => {
    const [before, within] = [states, 3 * states].map(sumOf)
    assert.closeTo(before ?? 0, fresh, 1e-4)
    assert.closeTo(within ?? 0, 0, 1e-4)
  })
})

import { assert, describe, it } from "@effect/vitest"
import {
  answersOf,
  filterWidth,
  inputOf,
  nearbyOf,
  places,
  responsesTo,
  width
} from "../../../src/text/redact/nearby.ts"
import { tokensOf } from "../../../src/text/redact/tokens.ts"

describe("the words around a span", () => {
  it("are told in their order, with what ends after them, numbers being all one", () => {
    const tokens = tokensOf("I am Ann. I live at 12 Oak, with 3 cats?", 0)
    const nearby = nearbyOf(tokens, { from: 6, to: 8 })
    assert.strictEqual(nearby.length, places)
    assert.deepStrictEqual(nearby.slice(places / 2 - 4, places / 2 + 4), [
      "10ann",
      "00i",
      "00live",
      "00at",
      "05with",
      "00#",
      "20cats",
      undefined
    ])
  })

  it("are like others that are used like them, and marked", () => {
    const likeness = (one: string, other: string) => {
      const numbers = inputOf(`00${other}`)
      return inputOf(`00${one}`).reduce((sum, number, at) => sum + number * (numbers[at] ?? 0), 0)
    }
    assert.isAbove(likeness("porch", "yard"), likeness("porch", "ordinance"))
    assert.deepStrictEqual([...inputOf("35#").slice(-6)], [1, 0, 0, 1, 1, 1])
    assert.deepStrictEqual([...inputOf("00qqzzx").slice(0, 3)], [0, 0, 0])
  })

  it("are answered by the strongest of three words in a row in each zone", () => {
    const filters = new Float32Array(2 * filterWidth)
    // The first filter counts words that are there, the second wants a number and a word after it.
    for (let turn = 0; turn < 3; turn++) filters[turn * width + width - 6] = 1
    filters[filterWidth + width + width - 2] = 2
    filters[filterWidth + 2 * width + width - 6] = 1
    const responses = new Array<Float32Array | undefined>(places).fill(undefined)
    responses[20] = responsesTo(inputOf("00#"), filters)
    responses[21] = responsesTo(inputOf("00cats"), filters)
    const { most, where } = answersOf(responses, new Float32Array([0, -1]))
    assert.deepStrictEqual([...most], [0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0])
    assert.deepStrictEqual([...where].slice(8, 10), [20, 20])
  })
})

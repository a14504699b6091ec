import { assert, describe, it } from "@effect/vitest"
import { otherWordsFor, withOther } from "../../src/text/other-words.ts"
import { pairs } from "../../src/text/other-words-list.ts"

describe("other words", () => {
  it("are found both ways, longer runs first, and take the place of the words", () => {
    const words = ["cheap", "vacation", "rentals"]
    const [first] = otherWordsFor(words)
    assert.deepStrictEqual(first, { at: 1, taken: 2, other: "short term rentals", isSame: true })
    assert.deepStrictEqual(first && withOther(words, first), ["cheap", "short term rentals"])
    assert.include(
      otherWordsFor(["Police"]).map(({ other }) => other),
      "cops"
    )
    assert.deepStrictEqual(otherWordsFor(["greenhouse"]), [])
  })

  it("are not offered where the query has them", () => {
    assert.notInclude(
      otherWordsFor(["cops", "police"]).map(({ other }) => other),
      "police"
    )
  })

  it("each have a source", () => {
    for (const line of pairs.trim().split("\n")) assert.match(line, /^[^=~|]+ [=~] [^=~|]+ \| \S/u)
  })
})

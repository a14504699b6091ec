import { assert, describe, it } from "@effect/vitest"
import { mark, momentIn } from "../../../src/services/search/moments.ts"

/** As PostgreSQL marks them, a word per line: every form of a word of the query, wherever it stands. */
const marking = (text: string, words: ReadonlyArray<string>) =>
  text
    .split(" ")
    .map((word) => (words.includes(word.replace(/\W/g, "")) ? `${mark}${word}${mark}` : word))
    .join("\n")

describe("the moment at which a query is said", () => {
  const text = "the city pays. Our council, the City Councils, and a permit for beer or a beer permit"
  const words = ["city", "council", "City", "Councils", "permit", "beer"]

  it("is where a phrase begins, not the first of its words", () => {
    assert.strictEqual(momentIn(marking(text, words), ["city council"]), 6)
    assert.strictEqual(momentIn(marking(text, words), ["beer permit"]), 15)
    assert.strictEqual(momentIn(marking(text, words), ["permit for beer"]), 10)
  })

  it("is where several words are said closest together", () => {
    assert.strictEqual(momentIn(marking(text, words), ["beer", "permit"]), 15)
    assert.strictEqual(momentIn(marking(text, words), ["permit", "Council"]), 7)
    assert.strictEqual(momentIn(marking(text, words), ["permit"]), 10)
  })

  it("counts words as they were said, whatever search makes of one", () => {
    const marked = `take\nI I40  40\nto\n${mark}24${mark} ${mark}117${mark}`
    assert.strictEqual(momentIn(marked, ["24 117"]), 3)
    assert.strictEqual(momentIn(marked, ["117"]), 3)
  })

  it("is the first marked word where no term stands as it is written", () => {
    assert.strictEqual(momentIn(marking("so they are dying out", ["dying"]), ["die"]), 3)
    assert.isUndefined(momentIn("nothing here", ["beer"]))
  })
})

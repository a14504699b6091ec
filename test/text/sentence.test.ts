import { assert, describe, it } from "@effect/vitest"
import { sentenceAround } from "../../src/text/sentence.ts"

const text = "We begin. Mr. Gray of the U.S. Mint spoke to A. Marsh at length. Then we voted. All in favor said aye."

describe("the sentence around a word", () => {
  it("ends at a full stop, but not at that of an abbreviation or an initial", () => {
    assert.strictEqual(
      sentenceAround(text, text.indexOf("spoke")),
      "Mr. Gray of the U.S. Mint spoke to A. Marsh at length."
    )
    assert.strictEqual(sentenceAround(text, 0), "We begin.")
    assert.strictEqual(sentenceAround(text, text.indexOf("aye")), "All in favor said aye.")
  })

  it("goes on to a later word that belongs to it", () => {
    assert.strictEqual(
      sentenceAround(text, text.indexOf("voted"), text.indexOf("favor")),
      "Then we voted. All in favor said aye."
    )
  })

  it("is cut where a text has no sentences", () => {
    const words = Array.from({ length: 100 }, (_, at) => `w${at}`)
    const cut = sentenceAround(words.join(" "), words.slice(0, 50).join(" ").length + 1)
    assert.strictEqual(cut, `…${words.slice(36, 72).join(" ")}…`)
  })
})

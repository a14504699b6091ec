import { assert, describe, it } from "@effect/vitest"
import { questionIn } from "../../src/text/question.ts"

describe("a question", () => {
  it("is a search for its subject that prefers what it asks for", () => {
    const vote = questionIn("When did the council vote on short term rentals?")
    assert.strictEqual(vote?.subject, "short term rentals")
    assert.deepStrictEqual(vote?.dropped, ["council", "vote"])
    assert.include(vote?.helpful ?? [], "approved")
    assert.include(vote?.helpful ?? [], "council")
    const opposed = questionIn("who opposed the bike lane")
    assert.strictEqual(opposed?.subject, "bike lane")
    assert.include(opposed?.helpful ?? [], "opposition")
  })

  it("is none without a question word, a subject, or plain words only", () => {
    for (const q of [
      "council vote bridge",
      "who voted",
      "what did they do",
      "who said budget or taxes",
      'who "voted no"'
    ]) {
      assert.isUndefined(questionIn(q), q)
    }
  })
})

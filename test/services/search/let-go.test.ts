import { assert, describe, it } from "@effect/vitest"
import { withinWords } from "../../../src/services/search/let-go.ts"

describe("a search of more words than may be looked for", () => {
  it("lets go of what everybody says, then of the shortest, and says so", () => {
    const pasted =
      "I would like to say that the planning commission should not approve the warehouse on Halyard Road before the traffic study of the county engineer is done"
    const { q, dropped } = withinWords(pasted)
    assert.strictEqual(
      q,
      "would like that planning commission should approve warehouse Halyard Road before traffic study county engineer done"
    )
    assert.deepStrictEqual(new Set(dropped), new Set(["I", "to", "say", "the", "not", "on", "of", "is"]))
  })

  it("leaves a shorter one alone, and one of alternatives or in quotes", () => {
    const many = Array.from({ length: 17 }, (_, at) => `word${at}`)
    for (const q of ["greenway bridge", many.join(" or "), `"${many.join(" ")}"`, ""]) {
      assert.deepStrictEqual(withinWords(q), { q, dropped: [] })
    }
  })

  it("counts what is excluded and where it is sought", () => {
    const words = Array.from({ length: 16 }, (_, at) => `word${at}`).join(" ")
    assert.lengthOf(withinWords(`${words} -beer body:council`).dropped, 2)
  })
})

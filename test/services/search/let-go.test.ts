import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parseSearchQuery } from "../../../schema/search-query.ts"
import { unquoted, withinWords } from "../../../src/services/search/corrections/let-go.ts"

/** How often words are said; others never were. */
const often = new Map(
  Object.entries({ i: 900, to: 990, the: 999, of: 950, is: 940, on: 930, not: 800, say: 700, should: 600, that: 920 })
)
const within = (q: string) => withinWords(q, () => Effect.succeed(often))

describe("a search of more words than may be looked for", () => {
  it.effect("lets go of what is said most, and says so", () =>
    Effect.gen(function* () {
      const pasted =
        "I would like to say that the planning commission should not approve the warehouse on Halyard Road before the traffic study of the county engineer is done"
      const { q, dropped, typed } = yield* within(pasted)
      assert.strictEqual(
        q,
        "would like planning commission should approve warehouse Halyard Road before traffic study county engineer done say"
          .replace(" say", "")
          .replace("like", "like say")
      )
      assert.deepStrictEqual(new Set(dropped), new Set(["I", "to", "that", "the", "not", "on", "of", "is"]))
      assert.strictEqual(typed?.join(" "), pasted)
    })
  )

  it.effect("leaves a shorter one alone, and one of alternatives", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 17 }, (_, at) => `word${at}`)
      for (const q of ["greenway bridge", many.join(" or "), '"the next item"', ""]) {
        assert.deepStrictEqual(yield* within(q), { q, typed: undefined, dropped: [] })
      }
    })
  )

  it.effect("takes a quotation that is longer than a phrase may be as its words", () =>
    Effect.gen(function* () {
      const { q, dropped } = yield* within('"one bridge over the river is closed for good now" -beer')
      assert.deepStrictEqual([q, dropped], ["one bridge over the river is closed for good now -beer", []])
    })
  )

  it.effect("counts what is excluded and where it is sought", () =>
    Effect.gen(function* () {
      const words = Array.from({ length: 16 }, (_, at) => `word${at}`).join(" ")
      assert.lengthOf((yield* within(`${words} -beer body:council`)).dropped, 2)
    })
  )
})

describe("a quotation that nobody said", () => {
  it("is its words, unless it is short, a name, or beside others", () => {
    const wordsOf = (q: string) => unquoted(parseSearchQuery(q))?.either[0]?.words
    assert.deepStrictEqual(wordsOf('"we will pave the road"'), ["we", "will", "pave", "the", "road"])
    for (const q of ['"Ada Marsh"', 'bridge "we will pave the road"', '"we will pave it" or "we will not"']) {
      assert.isUndefined(wordsOf(q), q)
    }
  })
})

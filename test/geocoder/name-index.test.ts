import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { editDistance, makeNameIndex } from "../../src/geocoder/name-index.ts"

describe("names", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), minLength: 1, maxLength: 9 })

  it("that are similar to a given name are all found", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 40 }),
        word,
        fc.integer({ min: 0, max: 3 }),
        (names, typed, edits) => {
          const index = makeNameIndex(names.map((name) => [name, name]))
          const whole = index.like(typed, edits).filter((found) => found.whole)
          const all = names.filter(
            (name) => editDistance(typed, name, Infinity).whole <= edits && sharesPair(typed, name)
          )
          assert.deepStrictEqual(whole.map(({ value }) => value).toSorted(), all.toSorted())
        }
      )
    )
  })

  /**
   * Names that share no pair of letters, the first letter included, are not misspellings of each other, however short.
   */
  const sharesPair = (a: string, b: string) => {
    const pairs = (name: string) => Array.from(`^${name}`, (letter, at) => letter + (name[at] ?? ""))
    return pairs(a)
      .slice(0, -1)
      .some((pair) => pairs(b).slice(0, -1).includes(pair))
  }
})

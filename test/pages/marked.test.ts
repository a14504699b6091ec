import { assert, describe, it } from "@effect/vitest"
import { htmlOf } from "../../src/page-tree/html.ts"
import { el } from "../../src/page-tree/tree.ts"
import { marked } from "../../src/pages/parts/marked.ts"

const shown = (text: string, ...words: ReadonlyArray<string>) =>
  htmlOf(el("p", {}, marked(text, words)))
    .replace(/<mark>(.*?)<\/mark>/g, "[$1]")
    .replace(/<\/?p>/g, "")

describe("matching words", () => {
  it("are marked at the beginning of a word, in any case, and as typed; an inflected form is marked whole", () => {
    assert.strictEqual(shown("Parks and parkland; a ballpark", "park"), "[Parks] and [park]land; a ballpark")
    assert.strictEqual(shown("What C++ is (a.b)", "c++", "a.b"), "What [C++] is ([a.b])")
    assert.strictEqual(shown("No words", ...[]), "No words")
  })

  it("are marked in their other forms", () => {
    for (const [typed, text] of [
      ["rentals", "a [rental] of rented, not rent"],
      ["homelessness", "[homeless] people at home"],
      ["zoning", "a [zone], [zoned] [zones], no zoo"],
      ["policies", "this [policy] of the police"],
      ["housing", "[house] by [house], a household"],
      ["repaired", "to [repair], a [repairing] [repairer]"]
    ] as const) {
      assert.strictEqual(shown(text.replaceAll(/[[\]]/g, ""), typed), text, typed)
    }
  })

  it("are not words that only look like their forms", () => {
    assert.strictEqual(shown("a stress on the street", "string"), "a stress on the street")
    assert.strictEqual(shown("an event, even an evening", "evening"), "an event, [even] an [evening]")
    assert.strictEqual(shown("the pas of a class", "pass"), "the pas of a class")
  })
})

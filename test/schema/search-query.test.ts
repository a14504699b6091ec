import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import fc from "fast-check"
import { BrowseQuery } from "../../schema/browse-query.ts"
import { firstDayOf, parseSearchQuery, scopeFault, writeSearchQuery } from "../../schema/search-query.ts"

const only = (q: string) => {
  const { either } = parseSearchQuery(q)
  assert.lengthOf(either, 1, q)
  return either[0]
}

const piece = fc.constantFrom(
  "speaker:",
  "Body:",
  "after:2025",
  "place:x-y",
  '"a b"',
  '"',
  "-",
  ":",
  "or",
  "Ada",
  "é",
  " ",
  " "
)

describe("a search query", () => {
  it("is the same query when it is written and read again", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const parsed = parseSearchQuery(pieces.join(""))
        assert.deepStrictEqual(parseSearchQuery(writeSearchQuery(parsed)), parsed)
      }),
      {
        numRuns: 5000,
        // A scope at the end of a text in quotes, with another such text after it.
        examples: [[['"a b"', '"', ":", " ", "speaker:", '"']]]
      }
    )
  })

  it("has scopes, quoted or not, in any case, negated or not", () => {
    const scopes = only('Speaker:"Ada Marsh" -body:"park board" place:springfield after:2025 BEFORE:2026-02-03 bench')
    assert.deepStrictEqual(scopes, {
      words: ["bench"],
      phrases: [],
      notWords: [],
      notPhrases: [],
      scopes: [
        { name: "speaker", text: "Ada Marsh", negated: false },
        { name: "body", text: "park board", negated: true },
        { name: "place", text: "springfield", negated: false },
        { name: "after", text: "2025", negated: false },
        { name: "before", text: "2026-02-03", negated: false }
      ]
    })
  })

  it("has plain words if another word stands before the colon, or it is quoted", () => {
    for (const q of ["time:noon bench", '"before:noon"']) {
      assert.deepStrictEqual(only(q)?.scopes, [], q)
    }
  })

  it("reads the text of a scope after a blank too, and skips a scope without text", () => {
    assert.deepStrictEqual(only('speaker: Marsh place: "x y" after: May 5, 2024 before: 2025-06 bench'), {
      words: ["bench"],
      phrases: [],
      notWords: [],
      notPhrases: [],
      scopes: [
        { name: "speaker", text: "Marsh", negated: false },
        { name: "place", text: "x y", negated: false },
        { name: "after", text: "May 5, 2024", negated: false },
        { name: "before", text: "2025-06", negated: false }
      ]
    })
    for (const q of ["bench body:", 'speaker:"" bench', "bench after: before:", "body: or bench", "before: bench"]) {
      const [last] = parseSearchQuery(q).either.slice(-1)
      assert.deepStrictEqual([last?.words, last?.scopes], [["bench"], []], q)
    }
  })

  it("reads typographic quotation marks, hyphens and full-width letters as plain ones", () => {
    assert.deepStrictEqual(only("“park bench” «green way» Ｒｅｓ on‑street")?.phrases, ["park bench", "green way"])
    assert.deepStrictEqual(only("“park bench” «green way» Ｒｅｓ on‑street")?.words, ["Res", "on-street"])
  })

  it("takes days, months and years that exist", () => {
    assert.strictEqual(firstDayOf("2026"), "2026-01-01")
    assert.strictEqual(firstDayOf("2026-07"), "2026-07-01")
    assert.strictEqual(firstDayOf("2024-02-29"), "2024-02-29")
    for (const text of ["2026-1-1", "2026/01/01", "1/1/2026", "January 1, 2026", "1 jan 2026", "jan. 1st 2026"]) {
      assert.strictEqual(firstDayOf(text), "2026-01-01", text)
    }
    for (const text of ["May 2024", "may-2024", "5/2024", "2024.5"]) {
      assert.strictEqual(firstDayOf(text), "2024-05-01", text)
    }
    for (const text of [
      "noon",
      "2026-13",
      "2026-02-30",
      "26",
      "2026-",
      "Mars 26",
      "13/1/2026",
      "February 30, 2026",
      "2026-01-01-01",
      "٢٠٢٦"
    ]) {
      assert.strictEqual(firstDayOf(text), undefined, text)
    }
  })

  it("names the word whose date is invalid, and how to write one", () => {
    assert.strictEqual(scopeFault("noon after:2025"), undefined)
    assert.match(
      scopeFault("bench or before:yesterday") ?? "",
      /^must have .* after before:, such as before:2026-03-31/
    )
    const decoded = Schema.decodeUnknownExit(BrowseQuery)({ q: "before:yesterday" })
    assert.strictEqual(decoded._tag, "Failure")
  })
})

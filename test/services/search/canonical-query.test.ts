import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import fc from "fast-check"
import { BrowseQueryText } from "../../../schema/saved-search.ts"
import { canonicalQuery, nameOfQuery } from "../../../src/services/search/query/canonical-query.ts"

const read = Schema.decodeUnknownSync(BrowseQueryText)
const write = Schema.encodeSync(BrowseQueryText)

const text = fc.string({ unit: "grapheme", maxLength: 40 })

/** Browse addresses as anyone might write them: in any order, with repeats, blanks and any character. */
const address = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constantFrom("city", "county", "agency", "follow_agency", "follow_place"), text),
      fc.tuple(fc.constant("type"), fc.constantFrom("city_council", "school_board", "other")),
      fc.tuple(fc.constant("year"), fc.integer({ min: 1700, max: 2200 }).map(String)),
      fc.tuple(fc.constant("state"), fc.constantFrom("IL", "TN"))
    ),
    { maxLength: 12 }
  )
  .chain((pairs) =>
    fc
      .record({ q: fc.option(text), page: fc.option(fc.integer({ min: 1, max: 9 })) })
      .map(({ q, page }) => [
        ...pairs,
        ...(q === null ? [] : [["q", q]]),
        ...(page === null ? [] : [["page", String(page)]])
      ])
  )

const spelled = (pairs: ReadonlyArray<ReadonlyArray<string>>) =>
  new URLSearchParams(pairs.map(([name = "", value = ""]): [string, string] => [name, value])).toString()

describe("a saved query", () => {
  it("has one spelling, whatever the order, the repeats and the page", () => {
    fc.assert(
      fc.property(address, fc.nat(), (pairs, turn) => {
        const canonical = canonicalQuery(read(spelled(pairs)))
        const kept = write(canonical)
        assert.deepStrictEqual(canonicalQuery(read(kept)), read(kept))
        assert.strictEqual(write(read(kept)), kept)
        const at = pairs.length === 0 ? 0 : turn % pairs.length
        const others = [...pairs.slice(at), ...pairs.slice(0, at)]
        const repeated = others.filter(([name]) => name !== "q" && name !== "page")
        assert.strictEqual(write(canonicalQuery(read(`?${spelled([...others, ...repeated])}`))), kept)
        assert.isAtMost(nameOfQuery(canonical).length, 120)
        assert.match(nameOfQuery(canonical), /\S/)
      }),
      { numRuns: 300 }
    )
  })

  it("omits page, size and group, and parameters without effect", () => {
    assert.strictEqual(write(canonicalQuery(read("page=2&page_size=9&per_group=3&group_by=agency&q=+&utm=x"))), "")
    assert.strictEqual(write(canonicalQuery(read("year=2026&year=2025&q=a++b"))), "q=a+b&year=2025&year=2026")
  })

  it("is named by its words and filters, in one order", () => {
    const name = (text: string) => nameOfQuery(canonicalQuery(read(text)))
    assert.strictEqual(name("page=2"), "All meetings")
    assert.strictEqual(
      name("year=2026&year=2025&state=IL&type=city_council&place_slug=east-peoria&q=+bike++lane"),
      "“bike lane”, east peoria, city council, IL, 2025, 2026"
    )
  })
})

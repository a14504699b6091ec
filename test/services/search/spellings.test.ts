import { assert, describe, it } from "@effect/vitest"
import { parseSearchQuery, writeSearchQuery } from "../../../schema/search-query.ts"
import { withSpellings } from "../../../src/services/search/query/spellings.ts"

const spelled = (q: string) => writeSearchQuery(withSpellings(parseSearchQuery(q)))

describe("the ways to write a query", () => {
  it("are one if nothing in it has alternatives", () => {
    for (const q of [
      "greenway plan",
      '"park bench" -noon',
      "on-street parking",
      "5 a day",
      "7,500",
      "Ordinance 24-117"
    ]) {
      assert.strictEqual(spelled(q), q)
    }
  })

  it("include a sum in figures and with a word for its zeros", () => {
    assert.strictEqual(spelled("$1.45 million"), '"1.45 million" or 1450000')
    assert.strictEqual(spelled("$1,450,000"), '$1,450,000 or "1.45 million" or 1450000')
    assert.strictEqual(spelled("about 2 billion dollars more"), 'about "2 billion" more or about 2000000000 more')
    assert.strictEqual(spelled("$1,450,001"), "$1,450,001 or 1450001")
  })

  it("include initials and a number in other forms", () => {
    assert.strictEqual(spelled("H.B.456"), 'H.B.456 or "HB 456" or HB.456')
    assert.strictEqual(spelled("H. B. 456"), 'H. B. 456 or "HB 456" or HB.456')
    assert.strictEqual(spelled("Res.No.88-2023"), 'Res.No.88-2023 or "Res. No 88-2023"')
    assert.strictEqual(spelled("LL 145"), 'LL 145 or "local law 145"')
    assert.strictEqual(spelled("Local Law No. 145"), "Local Law 145")
  })

  it("include letters that are joined or not", () => {
    assert.strictEqual(spelled("OBrien"), "OBrien or O'Brien")
    assert.strictEqual(spelled("5 G"), "5 G or 5G")
    assert.strictEqual(spelled('"the 5 G rollout"'), '"the 5 G rollout" or "the 5G rollout"')
  })

  it("are eight at most, and the typed one is the first", () => {
    const { either } = withSpellings(
      parseSearchQuery(Array.from({ length: 20 }, (_, at) => `OBrien${"x".repeat(at)}`).join(" "))
    )
    assert.lengthOf(either, 8)
    assert.isTrue(either[0]?.words.every((word) => word.startsWith("OBrien")))
  })
})

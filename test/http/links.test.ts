import { assert, describe, it } from "@effect/vitest"
import { pageLinks } from "../../src/http/links.ts"

const address = new URL("https://record.example.gov/api/meetings/browse?q=%22beer+permit%22&state=TN&state=WA&page=3")

const parsed = (header: string) =>
  Object.fromEntries(
    header.split(", ").map((link) => {
      const [, target = "", rel = ""] = /^<(.*)>; rel="(.*)"$/.exec(link) ?? []
      return [rel, new URL(target)]
    })
  )

const pages = (total: number, page: number, pageSize = 20) =>
  Object.fromEntries(
    Object.entries(parsed(pageLinks(address, { total, page, pageSize }))).map(([rel, target]) => [
      rel,
      Number(target.searchParams.get("page"))
    ])
  )

describe("pageLinks", () => {
  it("keeps every filter, repeated ones too, in absolute addresses", () => {
    for (const target of Object.values(parsed(pageLinks(address, { total: 95, page: 3, pageSize: 20 })))) {
      assert.strictEqual(target.origin + target.pathname, "https://record.example.gov/api/meetings/browse")
      assert.strictEqual(target.searchParams.get("q"), '"beer permit"')
      assert.deepStrictEqual(target.searchParams.getAll("state"), ["TN", "WA"])
      assert.strictEqual(target.searchParams.getAll("page").length, 1)
    }
  })

  it("has prev and next only where there are such pages", () => {
    assert.deepStrictEqual(pages(95, 3), { first: 1, prev: 2, next: 4, last: 5 })
    assert.deepStrictEqual(pages(95, 1), { first: 1, next: 2, last: 5 })
    assert.deepStrictEqual(pages(95, 5), { first: 1, prev: 4, last: 5 })
    assert.deepStrictEqual(pages(100, 5), { first: 1, prev: 4, last: 5 })
    assert.deepStrictEqual(pages(0, 1), { first: 1, last: 1 })
  })

  it("leads back to the last page from past the end, and never past the last that may be requested", () => {
    assert.deepStrictEqual(pages(95, 40), { first: 1, prev: 5, last: 5 })
    assert.deepStrictEqual(pages(0, 7), { first: 1, prev: 1, last: 1 })
    assert.deepStrictEqual(pages(1_000_000, 10_000), { first: 1, prev: 9999, last: 10_000 })
  })
})

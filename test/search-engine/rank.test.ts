import { assert, describe, it } from "@effect/vitest"
import { SegmentSet } from "../../src/search-engine/segment-set.ts"
import { type IndexRow, indexRow } from "../support/copy-rows.ts"
import { segmentFolder } from "../support/open-index.ts"

const ids = {
  first: "00000000-0000-4000-8000-000000000001",
  second: "00000000-0000-4000-8000-000000000002"
}

const filler = (size: number, said: string): ReadonlyArray<IndexRow> =>
  Array.from({ length: size }, (_, n) =>
    indexRow(
      { id: `00000000-0000-4000-8000-1${n.toString().padStart(11, "0")}`, body: 1, day: 8_000 + n },
      { said: [said] }
    )
  )

type Texts = Parameters<typeof indexRow>[1]

const texts = (title: string, ...said: ReadonlyArray<string>): Texts => ({ title, said })

/** The order in which two meetings of the same day (or of the given days) are found by these words, among others. */
const orderOf = async (
  lexemes: ReadonlyArray<string>,
  first: Texts,
  second: Texts,
  days = [9_000, 9_000],
  others: ReadonlyArray<IndexRow> = filler(50, "the other business")
) => {
  using folder = segmentFolder()
  const rows = [
    ...others,
    indexRow({ id: ids.first, body: 0, day: days[0] ?? 0 }, first),
    indexRow({ id: ids.second, body: 0, day: days[1] ?? 0 }, second)
  ]
  const whole = new SegmentSet([await folder.segment(rows)])
  // The same in two parts, each with one of the two.
  const [one, other] = [rows.slice(0, -1), rows.slice(-1)]
  const base = await folder.segment(one)
  const parted = new SegmentSet([base, await folder.segment(other, { averages: base.meta.averages })])
  const orders = [whole, parted].map((set) => {
    const found = set.snapshot().search({ either: lexemes.map((lexeme) => ({ lexemes: [lexeme] })) })
    const both = set.snapshot().search({ either: [{ lexemes }] })
    const page = (both.total({}) > 1 ? both : found).page({ order: "relevance", offset: 0, limit: 2 })
    set.close()
    return page.map((id) => (id === ids.first ? "first" : id === ids.second ? "second" : "another"))
  })
  assert.deepStrictEqual(orders[0], orders[1])
  return orders[0]
}

describe("rank", () => {
  it("puts a word in the title above the same word spoken", async () => {
    const order = await orderOf(
      ["greenway"],
      texts("park board", "greenway plan"),
      texts("greenway plan", "park board")
    )
    assert.deepStrictEqual(order, ["second", "first"])
  })

  it("puts an item, and what is said, above a packet that has the same words on every page", async () => {
    const packet = { title: "park board", read: Array.from({ length: 900 }, () => "the greenway bridge opens") }
    // Packets are rare here, so that the length of this one is no more than is usual.
    for (const asked of [["greenway"], ["greenway", "bridge"]]) {
      const item = { title: "park board", items: "greenway bridge" }
      assert.deepStrictEqual(await orderOf(asked, packet, item), ["second", "first"], String(asked))
      const said = texts("park board", "the greenway bridge opens")
      if (asked.length > 1) assert.deepStrictEqual(await orderOf(asked, packet, said), ["second", "first"])
    }
  })

  it("puts words on one page of a document above the same words on two", async () => {
    const apart = { title: "park board", read: ["greenway so", "bridge then"] }
    const near = { title: "park board", read: ["greenway bridge", "so then"] }
    assert.deepStrictEqual(await orderOf(["greenway", "bridge"], apart, near), ["second", "first"])
  })

  it("puts words spoken in one passage above the same words far apart", async () => {
    const apart = texts("park board", "greenway so", "bridge then")
    const near = texts("park board", "greenway bridge", "so then")
    assert.deepStrictEqual(await orderOf(["greenway", "bridge"], apart, near), ["second", "first"])
  })

  it("puts adjacent words in a title or an item above the same words apart there", async () => {
    const words = Array.from({ length: 20 }, (_, n) => `item${n}`).join(" ")
    const apart = texts(`greenway ${words} bridge`)
    const near = texts(`${words} greenway bridge`)
    assert.deepStrictEqual(await orderOf(["greenway", "bridge"], apart, near), ["second", "first"])
  })

  it("puts words in the query's order above the same words in another order, and those above words further apart", async () => {
    const asked = texts("park board", "the greenway bridge opens")
    const turned = texts("park board", "the bridge greenway opens")
    const parted = texts("park board", "the greenway opens to a long bridge")
    assert.deepStrictEqual(await orderOf(["greenway", "bridge"], turned, asked), ["second", "first"])
    assert.deepStrictEqual(await orderOf(["greenway", "bridge"], parted, turned), ["second", "first"])
  })

  it("puts adjacent words in a long title above the same words in a short item", async () => {
    const words = Array.from({ length: 60 }, (_, n) => `number${n}`).join(" ")
    const item = { title: "park board", items: "greenway bridge" }
    const title = { title: `${words} greenway bridge` }
    assert.deepStrictEqual(await orderOf(["greenway", "bridge"], item, title), ["second", "first"])
  })

  it("puts recent above old if all else is equal, but not above better matches", async () => {
    const same = texts("greenway plan", "so it is")
    assert.deepStrictEqual(await orderOf(["greenway"], same, same, [7_000, 9_000]), ["second", "first"])
    assert.deepStrictEqual(await orderOf(["greenway"], same, same, [9_000, 7_000]), ["first", "second"])
    const said = texts("park board", "greenway plan")
    assert.deepStrictEqual(await orderOf(["greenway"], same, said, [7_000, 9_000]), ["first", "second"])
  })

  it("puts the smaller id first among equals of one day", async () => {
    const same = texts("greenway plan")
    assert.deepStrictEqual(await orderOf(["greenway"], same, same), ["first", "second"])
  })

  it("counts a rare word more than a common one", async () => {
    const others = filler(50, "budget")
    const common = texts("budget hearing")
    const rare = texts("greenway hearing")
    assert.deepStrictEqual(await orderOf(["budget", "greenway"], common, rare, [9_000, 9_000], others), [
      "second",
      "first"
    ])
  })

  it("continues in one order over pages beyond the best 500, with equal matches newest first", async () => {
    using folder = segmentFolder()
    const set = new SegmentSet([await folder.segment(filler(1_100, "budget hearing"))])
    const found = set.snapshot().search({ either: [{ lexemes: ["budget", "hearing"] }] })
    const page = (offset: number, limit: number) => found.page({ order: "relevance", offset, limit })
    const all = page(0, 2_000)
    assert.deepStrictEqual(all, found.page({ order: "newest", offset: 0, limit: 2_000 }))
    const paged = Array.from({ length: 14 }, (_, n) => page(n * 80, 80)).flat()
    assert.deepStrictEqual(paged, all)
    assert.deepStrictEqual(page(1_100, 20), [])
    set.close()
  })
})

import { assert, describe, it } from "@effect/vitest"
import { SegmentSet } from "../../src/search-engine/segment-set.ts"
import { indexRow } from "../support/copy-rows.ts"
import { segmentFolder } from "../support/open-index.ts"

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

const meetings = [
  { title: "park board", said: ["we will pave maple street before the school opens"] },
  // The same words, hours apart.
  { title: "park board", said: ["pave maple", "other business", "street school", "more business", "opens bridge"] },
  { title: "bridge repair for maple street", said: ["nothing"] },
  { title: "park board", said: ["the old river", "bridge at elm road will close in winter"] }
]

const lackingOf = async (...queries: ReadonlyArray<{ lexemes: string; body?: number }>) => {
  using folder = segmentFolder()
  const rows = meetings.map(({ title, said }, n) => indexRow({ id: id(n), body: n, day: 9_000 + n }, { title, said }))
  const set = new SegmentSet([await folder.segment(rows.slice(0, 2)), await folder.segment(rows.slice(2))])
  const found = queries.map(({ lexemes, body }) => {
    const bodies = body === undefined ? {} : { bodies: Uint8Array.from(meetings, (_, n) => Number(n === body)) }
    return set
      .snapshot()
      .search({ either: [{ lexemes: lexemes.split(" ") }] })
      .lacking(bodies)
  })
  set.close()
  return found
}

describe("the best stretch", () => {
  it("lacks the wrong word of a sentence that was said nearly so, though a meeting holds all of them apart", async () => {
    assert.deepStrictEqual(
      await lackingOf(
        { lexemes: "pave maple street bridge school opens" },
        { lexemes: "pave maple street school opens" }
      ),
      [["bridge"], []]
    )
  })

  it("may be in what a meeting is about, or run on into the next passage", async () => {
    assert.deepStrictEqual(
      await lackingOf({ lexemes: "bridge repair maple winter" }, { lexemes: "old river bridge elm road close" }),
      [["winter"], []]
    )
  })

  it("is looked for under the filters, and is none where too many words are missing: of two, any", async () => {
    assert.deepStrictEqual(
      await lackingOf(
        { lexemes: "pave maple street bridge school opens", body: 2 },
        { lexemes: "pave elm winter repair school opens" },
        { lexemes: "pave maple" },
        { lexemes: "pave bridge" },
        { lexemes: "pave" }
      ),
      [undefined, undefined, [], undefined, undefined]
    )
  })
})

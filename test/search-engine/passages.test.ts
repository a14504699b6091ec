import { assert, describe, it } from "@effect/vitest"
import { mergeSegments } from "../../src/search-engine/build/merge.ts"
import { openSegment, type Segment } from "../../src/search-engine/format/segment.ts"
import { SegmentSet } from "../../src/search-engine/segment-set.ts"
import type { IndexQuery, Phrase } from "../../src/search-engine/types.ts"
import { type IndexRow, indexRow } from "../support/copy-rows.ts"
import { segmentFolder } from "../support/open-index.ts"

const id = "00000000-0000-4000-8000-000000000001"
const other = "00000000-0000-4000-8000-000000000002"

/** A meeting with these passages, on a day after that of a thousand others which hold the same words. */
const record = (said: ReadonlyArray<string>): ReadonlyArray<IndexRow> => [
  ...Array.from({ length: 1_000 }, (_, n) =>
    indexRow(
      { id: `00000000-0000-4000-8000-1${n.toString().padStart(11, "0")}`, body: 1, day: 8_000 + n },
      { said: [n % 2 === 0 ? "park board" : "storm water", ...(n % 20 === 0 ? ["water main"] : [])] }
    )
  ),
  indexRow({ id, body: 0, day: 9_500 }, { title: "park board", said })
]

const toldIn = (segment: Segment, query: IndexQuery, ids = [id]) => {
  const set = new SegmentSet([segment])
  const snapshot = set.snapshot()
  const told = snapshot.find(query).passages(ids)
  snapshot.release()
  set.close()
  return told
}

const told = async (said: ReadonlyArray<string>, query: IndexQuery) => {
  using folder = segmentFolder()
  return toldIn(await folder.segment(record(said)), query)[0]
}

const words = (...lexemes: ReadonlyArray<string>): IndexQuery => ({
  either: [{ lexemes, layout: lexemes.map((lexeme, at) => ({ lexeme, at: at + 1 })) }]
})
const phrase = (...lexemes: ReadonlyArray<string>): Phrase => lexemes.map((lexeme, at) => ({ lexeme, at: at + 1 }))

describe("the passages that say what is wanted", () => {
  it("come by how often they say a word, and then by where they are", async () => {
    const said = ["park", "water", "the park of park", "none of it", "park"]
    assert.deepStrictEqual(await told(said, words("park")), [2, 0, 4])
  })

  it("come by whether they have all words, have them in a row, and how close together", async () => {
    const said = ["park park park", "board a b c park", "board b park", "park board", "x board board"]
    assert.deepStrictEqual(await told(said, words("park", "board")), [3, 2, 1, 0, 4])
  })

  it("come by the conjunction that they fit best", async () => {
    const said = ["water", "park", "water main", "park and water"]
    const query = { either: [{ lexemes: ["park"] }, { lexemes: ["water", "main"] }] }
    assert.deepStrictEqual(await told(said, query), [2, 1, 3, 0])
  })

  it("are few of many, but more of those that say a phrase", async () => {
    const said = Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? "park board" : "park"))
    assert.deepStrictEqual(
      await told(said, words("park")),
      Array.from({ length: 12 }, (_, n) => n)
    )
    const ofPhrase = await told(said, { either: [{ lexemes: ["park", "board"], phrases: [phrase("park", "board")] }] })
    assert.deepStrictEqual(
      ofPhrase,
      Array.from({ length: 64 }, (_, n) => 2 * n)
    )
  })

  it("are none where only the title has the words, and unknown for a meeting that is not found", async () => {
    using folder = segmentFolder()
    const segment = await folder.segment(record(["water"]))
    assert.deepStrictEqual(toldIn(segment, words("park"), [id, other]), [[], undefined])
  })

  it("are unknown where one is too long to tell the others by the positions of their words, merged segments included", async () => {
    using folder = segmentFolder()
    const long = (words: number) => `park ${"word ".repeat(words - 2)}board`
    const wide = indexRow({ id, body: 0, day: 9_500 }, { said: [long(256), "board"] })
    const full = indexRow({ id: other, body: 0, day: 9_500 }, { said: [long(255), "board"] })
    const segment = await folder.segment([full, wide])
    const expected = [undefined, [0, 1]]
    assert.deepStrictEqual(toldIn(openSegment(segment.directory), words("board"), [id, other]), expected)
    const set = new SegmentSet([segment])
    const directory = folder.next()
    mergeSegments([...set.parts], directory, { revision: 1, durable: false })
    assert.deepStrictEqual(toldIn(openSegment(directory), words("board"), [id, other]), expected)
    set.close()
  })
})

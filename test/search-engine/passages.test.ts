import { assert, describe, it } from "@effect/vitest"
import { mergeSegments } from "../../src/search-engine/build/merge.ts"
import { openSegment, type Segment } from "../../src/search-engine/format/segment.ts"
import { SegmentSet } from "../../src/search-engine/segment-set.ts"
import type { IndexQuery, Phrase } from "../../src/search-engine/types.ts"
import { type IndexRow, indexRow } from "../support/copy-rows.ts"
import { segmentFolder } from "../support/open-index.ts"

const id = "00000000-0000-4000-8000-000000000001"
const other = "00000000-0000-4000-8000-000000000002"

/** A meeting with these passages, dated a day after a thousand others with the same words. */
const record = (said: ReadonlyArray<string>): ReadonlyArray<IndexRow> => [
  ...Array.from({ length: 1_000 }, (_, n) =>
    indexRow(
      { id: `00000000-0000-4000-8000-1${n.toString().padStart(11, "0")}`, body: 1, day: 8_000 + n },
      { said: [n % 2 === 0 ? "park board" : "storm water", ...(n % 20 === 0 ? ["water main"] : [])] }
    )
  ),
  indexRow({ id, body: 0, day: 9_500 }, { title: "park board", said })
]

const bestIn = (segment: Segment, query: IndexQuery, ids = [id]) => {
  const set = new SegmentSet([segment])
  const snapshot = set.snapshot()
  const passages = snapshot.search(query).passages(ids)
  snapshot.release()
  set.close()
  return passages
}

const best = async (said: ReadonlyArray<string>, query: IndexQuery) => {
  using folder = segmentFolder()
  return bestIn(await folder.segment(record(said)), query)[0]
}

const words = (...lexemes: ReadonlyArray<string>): IndexQuery => ({
  either: [{ lexemes, layout: lexemes.map((lexeme, at) => ({ lexeme, at: at + 1 })) }]
})
const phrase = (...lexemes: ReadonlyArray<string>): Phrase => lexemes.map((lexeme, at) => ({ lexeme, at: at + 1 }))

describe("the best passages", () => {
  it("are ordered by how often they contain a word, then by position", async () => {
    const said = ["park", "water", "the park of park", "none of it", "park"]
    assert.deepStrictEqual(await best(said, words("park")), [2, 0, 4])
  })

  it("are ordered by whether they have all words, have them in a row, and how close together", async () => {
    const said = ["park park park", "board a b c park", "board b park", "park board", "x board board"]
    assert.deepStrictEqual(await best(said, words("park", "board")), [3, 2, 1, 0, 4])
  })

  it("are ordered by the conjunction that they match best", async () => {
    const said = ["water", "park", "water main", "park and water"]
    const query = { either: [{ lexemes: ["park"] }, { lexemes: ["water", "main"] }] }
    assert.deepStrictEqual(await best(said, query), [2, 1, 3, 0])
  })

  it("are limited in number, with a higher limit for those that say a phrase", async () => {
    const said = Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? "park board" : "park"))
    assert.deepStrictEqual(
      await best(said, words("park")),
      Array.from({ length: 12 }, (_, n) => n)
    )
    const ofPhrase = await best(said, { either: [{ lexemes: ["park", "board"], phrases: [phrase("park", "board")] }] })
    assert.deepStrictEqual(
      ofPhrase,
      Array.from({ length: 64 }, (_, n) => 2 * n)
    )
  })

  it("are an empty list if only the title has the words, and undefined for a meeting that does not match", async () => {
    using folder = segmentFolder()
    const segment = await folder.segment(record(["water"]))
    assert.deepStrictEqual(bestIn(segment, words("park"), [id, other]), [[], undefined])
  })

  it("of documents are apart from those of the transcript, and a phrase is in one or the other", async () => {
    using folder = segmentFolder()
    const row = indexRow(
      { id, body: 0, day: 9_500 },
      { said: ["park board", "park"], read: ["board", "", "park board"] }
    )
    const wide = indexRow({ id: other, body: 0, day: 9_500 }, { said: ["park"], read: [`park ${"word ".repeat(255)}`] })
    const set = new SegmentSet([await folder.segment([row, wide])])
    const result = set.snapshot().search(words("park"))
    assert.deepStrictEqual(result.passages([id, other]), [[0, 1], [0]])
    assert.deepStrictEqual(result.printed([id, other]), [[2], undefined])
    const row2 = { either: [{ phrases: [phrase("park", "park")] }, { phrases: [phrase("park", "board", "park")] }] }
    assert.strictEqual(set.snapshot().search(row2).total({}), 0)
    set.close()
  })

  it("are undefined if one is too long for positions to distinguish passages, in merged segments too", async () => {
    using folder = segmentFolder()
    const long = (words: number) => `park ${"word ".repeat(words - 2)}board`
    const wide = indexRow({ id, body: 0, day: 9_500 }, { said: [long(256), "board"] })
    const full = indexRow({ id: other, body: 0, day: 9_500 }, { said: [long(255), "board"] })
    const segment = await folder.segment([full, wide])
    const expected = [undefined, [0, 1]]
    assert.deepStrictEqual(bestIn(openSegment(segment.directory), words("board"), [id, other]), expected)
    const set = new SegmentSet([segment])
    const directory = folder.next()
    mergeSegments([...set.parts], directory, { revision: 1, durable: false })
    assert.deepStrictEqual(bestIn(openSegment(directory), words("board"), [id, other]), expected)
    set.close()
  })
})

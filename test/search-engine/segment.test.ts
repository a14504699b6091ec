import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { buildSegment } from "../../src/search-engine/build/build.ts"
import { openSegment, type Segment } from "../../src/search-engine/format/segment.ts"
import { SegmentSet } from "../../src/search-engine/segment-set.ts"
import { type Phrase, RowsRefused, SegmentRefused } from "../../src/search-engine/types.ts"
import { copyOf, inChunks, indexRow } from "../support/copy-rows.ts"
import { idOf, record, segmentFolder } from "../support/open-index.ts"

const files = (directory: string) => fs.readdirSync(directory).toSorted()
const phraseOf = (...lexemes: ReadonlyArray<string>): Phrase => lexemes.map((lexeme, at) => ({ lexeme, at }))

const total = (segment: Segment, ...phrases: ReadonlyArray<Phrase>) => {
  const set = new SegmentSet([segment])
  const found = set.snapshot().search({ either: [{ phrases }] })
  set.close()
  return found.total({})
}

describe("a segment", () => {
  it("has the same bytes whatever budget it is built with and however its rows are cut", async () => {
    using folder = segmentFolder()
    const rows = record(700)
    const large = await folder.segment(rows)
    const small = await folder.segment(rows, { budget: 1 }, 333)
    assert.deepStrictEqual(files(small.directory), files(large.directory))
    for (const name of files(large.directory)) {
      const [a, b] = [large, small].map(({ directory }) => fs.readFileSync(path.join(directory, name)))
      assert.isTrue(a !== undefined && b !== undefined && a.equals(b), name)
    }
  })

  it("finds phrases of common and rare words, by whole terms and by their blocks", async () => {
    using folder = segmentFolder()
    const expected = [
      [phraseOf("storm", "water"), 50],
      [phraseOf("alpha", "beta", "council"), 5],
      [phraseOf("beta", "council"), 5],
      [phraseOf("council", "budget"), 667],
      [phraseOf("dry", "water", "only"), 1],
      [phraseOf("water", "storm"), 0]
    ] as const
    const { directory } = await folder.segment(record(2_000))
    for (const [phrase, count] of expected) {
      assert.strictEqual(total(openSegment(directory), phrase), count, JSON.stringify(phrase))
    }
  })

  it("keeps a meeting of 3,000 passages, and no phrase crosses from one to the next", async () => {
    using folder = segmentFolder()
    const said = Array.from({ length: 3_000 }, (_, k) => `first${k} middle last${k}`)
    const row = indexRow({ id: idOf(1), body: 0, day: 9_000 }, { title: "council", said })
    const segment = await folder.segment([row])
    const set = new SegmentSet([segment])
    const matches = (...words: ReadonlyArray<readonly [string, number]>) =>
      set
        .snapshot()
        .search({ either: [{ phrases: [words.map(([lexeme, at]) => ({ lexeme, at }))] }] })
        .total({}) === 1
    assert.isTrue(matches(["first2999", 1], ["middle", 2], ["last2999", 3]))
    for (let gap = 1; gap <= 255; gap++) assert.isFalse(matches(["last1", 0], ["first2", gap]))
    assert.isFalse(matches(["council", 0], ["first0", 1]))
  })

  it("finds a phrase beyond the 255th word of a passage", async () => {
    using folder = segmentFolder()
    const filler = Array.from({ length: 254 }, () => "aye").join(" ")
    const row = indexRow(
      { id: idOf(1), body: 0, day: 9_000 },
      { said: [`${filler} storm water ${filler} city council`, "city park"] }
    )
    assert.strictEqual(total(await folder.segment([row]), phraseOf("storm", "water")), 1)
    assert.strictEqual(total(await folder.segment([row]), phraseOf("city", "council")), 1)
    assert.strictEqual(total(await folder.segment([row]), phraseOf("council", "city")), 0)
  })

  it("counts a repeated position once", async () => {
    using folder = segmentFolder()
    const twice = [16_383, 16_383].map((position) => ({ position, weight: 0 }))
    const row = { ...indexRow({ id: idOf(1), body: 0, day: 9_000 }, {}), named: new Map([["end", twice]]) }
    const segment = await folder.segment([row])
    assert.deepStrictEqual([...segment.piece("pos", segment.term("end"))], [2, 0xff, 0x7f])
  })

  it("is refused when a file is missing, truncated or altered, and when it is of another version", async () => {
    using folder = segmentFolder()
    const spoil: ReadonlyArray<readonly [string, (directory: string) => void]> = [
      ["no meta.json", (directory) => fs.rmSync(path.join(directory, "meta.json"))],
      ["no pos", (directory) => fs.rmSync(path.join(directory, "pos"))],
      ["docs cut short", (directory) => fs.truncateSync(path.join(directory, "docs"), 5)],
      ["meta.json cut short", (directory) => fs.truncateSync(path.join(directory, "meta.json"), 40)],
      [
        "an altered dictionary",
        (directory) => {
          const file = path.join(directory, "term.bytes")
          fs.writeFileSync(file, fs.readFileSync(file).reverse())
        }
      ],
      [
        "a later format",
        (directory) => {
          const file = path.join(directory, "meta.json")
          fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(/"format": (\d+)/, '"format": 1000$1'))
        }
      ]
    ]
    for (const [what, harm] of spoil) {
      const { directory } = await folder.segment(record(40))
      openSegment(directory).close()
      harm(directory)
      assert.throws(() => openSegment(directory), SegmentRefused, undefined, what)
    }
    assert.throws(() => openSegment(folder.next()), SegmentRefused)
  })

  it("is not built from rows that end early, are in another order, or are of another kind", async () => {
    using folder = segmentFolder()
    const refused = async (bytes: Buffer) => {
      const directory = folder.next()
      const error = await buildSegment(inChunks(bytes), directory, { revision: 1 }).then(
        () => undefined,
        (cause: unknown) => cause
      )
      assert.instanceOf(error, RowsRefused)
      assert.throws(() => openSegment(directory), SegmentRefused)
    }
    const whole = copyOf(record(5))
    await refused(whole.subarray(0, -2))
    await refused(whole.subarray(0, -40))
    await refused(Buffer.from("id,body\n"))
    const [first, second] = record(2)
    assert.isDefined(first)
    assert.isDefined(second)
    const [header, trailer] = [19, 2]
    const later = copyOf([{ ...first, day: 9_999 }])
    await refused(Buffer.concat([later.subarray(0, -trailer), copyOf([second]).subarray(header)]))
  })

  it("answers snapshots taken before a change, and closes its files with the last of them", async () => {
    using folder = segmentFolder()
    const [before, after] = [await folder.segment(record(40)), await folder.segment([])]
    const set = new SegmentSet([before])
    const snapshot = set.snapshot()
    const found = snapshot.search({ either: [{ lexemes: ["storm"] }] })
    const ids = record(40).map(({ id }) => id)
    set.replace(ids)
    set.substitute(set.parts, after)
    assert.strictEqual(set.snapshot().documents, 0)
    assert.lengthOf(found.page({ order: "relevance", offset: 0, limit: 100 }), 40)
    assert.strictEqual(snapshot.search({ either: [{ phrases: [phraseOf("council", "budget")] }] }).total({}), 14)
    snapshot.release()
    assert.throws(() => before.readPart("impact", 0, 0, new Uint8Array(1)), /EBADF/)
  })
})

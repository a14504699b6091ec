import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { readAhead } from "../../src/search-engine/format/read-ahead.ts"
import { openSegment, type Segment } from "../../src/search-engine/format/segment.ts"
import { PositionReader } from "../../src/search-engine/query/skip-lists.ts"
import { SegmentSet } from "../../src/search-engine/segment-set.ts"
import { type IndexQuery, SegmentRefused } from "../../src/search-engine/types.ts"
import { record, segmentFolder } from "../support/open-index.ts"

const phrase = (...lexemes: ReadonlyArray<string>) => lexemes.map((lexeme, at) => ({ lexeme, at }))

/** Queries that read every kind of piece: common and rare words, phrases, exclusions, and everything. */
const queries: ReadonlyArray<IndexQuery> = [
  { either: [{}] },
  { either: [{ lexemes: ["council"] }] },
  { either: [{ lexemes: ["storm", "water"] }] },
  { either: [{ lexemes: ["beta"], notWords: [["drain"]] }] },
  { either: [{ phrases: [phrase("alpha", "beta", "council")] }, { phrases: [phrase("dry", "water")] }] },
  { either: [{ phrases: [phrase("council", "budget")], notPhrases: [phrase("storm", "water")] }] }
]

const answers = (segment: Segment) => {
  const set = new SegmentSet([segment])
  return queries.map((query) => {
    const snapshot = set.snapshot()
    try {
      const result = snapshot.search(query)
      const page = result.page({ order: "relevance", offset: 0, limit: 10 })
      return JSON.stringify([result.total({}), [...result.facetCounts().counts], page, result.passages(page)])
    } finally {
      snapshot.release()
    }
  })
}

/** Ways to damage a file; positions are shares of its length. */
const harm = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), at: fc.double({ min: 0, max: 1, noNaN: true }), bit: fc.nat(7) }),
  fc.record({
    kind: fc.constant("overwrite" as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 400 })
  }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }) })
)
type Harm = typeof harm extends fc.Arbitrary<infer A> ? A : never

const apply = (file: string, harm: Harm) => {
  const bytes = fs.readFileSync(file)
  if (bytes.length === 0) return
  const at = Math.min(bytes.length - 1, Math.floor(harm.at * bytes.length))
  if (harm.kind === "cut") return fs.truncateSync(file, at)
  if (harm.kind === "flip") bytes[at] = (bytes[at] ?? 0) ^ (1 << harm.bit)
  else bytes.set(harm.bytes.subarray(0, bytes.length - at), at)
  // In place, as a disk would.
  const opened = fs.openSync(file, "r+")
  fs.writeSync(opened, bytes)
  fs.closeSync(opened)
}

describe("a segment with altered bytes", () => {
  it("is refused, or answers as if unaltered", { timeout: 120_000 }, async () => {
    using folder = segmentFolder()
    const whole = await folder.segment(record(1_200))
    const expected = answers(whole)
    const names = fs
      .readdirSync(whole.directory)
      .filter((name) => fs.statSync(path.join(whole.directory, name)).size > 0)
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.array(harm, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (name, harms, isOpen) => {
          const directory = folder.next()
          fs.cpSync(whole.directory, directory, { recursive: true })
          const harmed = () => {
            for (const one of harms) apply(path.join(directory, name), one)
          }
          let segment: Segment | undefined
          try {
            if (!isOpen) harmed()
            segment = openSegment(directory)
            if (isOpen) harmed()
            assert.deepStrictEqual(answers(segment), expected)
          } catch (cause) {
            if (!(cause instanceof SegmentRefused)) throw cause
          } finally {
            segment?.close()
            fs.rmSync(directory, { recursive: true })
          }
        }
      ),
      { numRuns: 400 }
    )
    whole.close()
  })

  it("is refused before any query, by reading it ahead", async () => {
    using folder = segmentFolder()
    const segment = await folder.segment(record(1_200))
    await readAhead(segment)
    apply(path.join(segment.directory, "pos"), { kind: "flip", at: 0.9, bit: 3 })
    const again = openSegment(segment.directory)
    const error = await readAhead(again).catch((cause: unknown) => cause)
    assert.instanceOf(error, SegmentRefused)
    assert.match(String((error as SegmentRefused).reason), /^pos is damaged/)
  })

  it("never reads past its end, whatever its numbers", async () => {
    using folder = segmentFolder()
    const segment = await folder.segment(record(10))
    // A length of four billion.
    const bytes = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 1)
    assert.throws(() => new PositionReader().read({ segment, bytes, starts: Uint32Array.of(0) }, 0), SegmentRefused)
  })
})

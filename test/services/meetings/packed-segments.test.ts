import { zstdCompressSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import fc from "fast-check"
import { Segment } from "../../../schema/transcript.ts"
import { packSegments, segmentsFrom } from "../../../src/services/meetings/packed-segments.ts"

const time = fc.oneof(
  fc.nat(40_000),
  fc.nat(40_000_000).map((milliseconds) => milliseconds / 1000),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((seconds) => (seconds === 0 ? 0 : seconds))
)
/** Times as sources give them, and now and then one as nobody does. */
const usual = fc.nat(40_000_000).map((milliseconds) => milliseconds / 1000)
const text = fc.oneof(
  fc.lorem({ maxCount: 8 }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", " ", "a  b", "\n")
)

const segments = fc.constantFrom(usual, time).chain((second) => {
  const word = fc.record({ start: second, end: second, text })
  const plain = fc.record(
    { start: second, end: second, speaker: fc.constantFrom("", "Ada Marsh", "Zoë"), text, words: fc.array(word) },
    { requiredKeys: ["start", "end", "text"] }
  )
  const timed = fc.tuple(plain, second).map(([segment, start]) => ({
    ...segment,
    words: segment.text.split(" ").map((said, at) => ({ start: start + at, end: start + at + 0.5, text: said }))
  }))
  return fc.array(fc.oneof(plain, timed))
})

const decoded = Schema.decodeUnknownSync(Schema.Array(Segment))

describe("packed segments", () => {
  it("are read as they were written, to the last digit", () =>
    fc.assert(
      fc.asyncProperty(segments, async (written) => {
        const read = await Effect.runPromise(Effect.flatMap(packSegments(written), segmentsFrom))
        // As text, so that the order of fields is that of the schema, by which transcripts are hashed.
        assert.strictEqual(JSON.stringify(read), JSON.stringify(decoded(written)))
      }),
      { numRuns: 300 }
    ))

  it("of the first form are read", async () => {
    const written = [{ start: 0.125, end: 2, text: "Call to order." }]
    const read = await Effect.runPromise(segmentsFrom(zstdCompressSync(JSON.stringify(written))))
    assert.deepStrictEqual(read, written)
  })
})

import { zstdCompressSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import fc from "fast-check"
import { Db } from "../../../layers/db/db.ts"
import { Segment } from "../../../schema/transcript.ts"
import { packAgain, packSegments, segmentsFrom } from "../../../src/services/meetings/packed-segments.ts"
import { agency, meeting, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"

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

  it.effect("take the place of those that an earlier build wrote, by two processes at once", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const names = Array.from({ length: 120 }, (_, at) => `meeting-${at}`)
      yield* putOnRecord(
        place("springfield"),
        agency("council", ["springfield"]),
        ...names.flatMap((name) => [meeting(name, "council"), transcript(name, said([`Said at ${name}.`, "Aye."]))])
      )
      const stored = db<{ meeting_id: string; version: string; segments: Uint8Array }>`
        select meeting_id, version, segments from transcript order by meeting_id`
      const packed = yield* stored
      for (const [at, { meeting_id, segments }] of packed.entries()) {
        if (at % 7 === 0) continue
        const rows = zstdCompressSync(JSON.stringify(yield* segmentsFrom(segments)))
        yield* db`update transcript set segments = ${rows} where meeting_id = ${meeting_id}`
      }
      assert.notDeepEqual(yield* stored, packed)
      yield* Effect.all([packAgain(db), packAgain(db)], { concurrency: 2 })
      assert.deepStrictEqual(yield* stored, packed)
    }).pipe(Effect.provide(TestDb))
  )
})

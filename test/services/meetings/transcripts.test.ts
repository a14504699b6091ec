import * as zlib from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Schema } from "effect"
import type { Segment } from "../../../schema/transcript.ts"
import { Transcript } from "../../../schema/transcript.ts"
import { type TranscriptQuery, Transcripts } from "../../../src/services/meetings/transcripts.ts"
import { agency, meeting, meetingId, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"

const spoken: ReadonlyArray<Segment> = [
  {
    start: 0.12345,
    end: 2.5,
    speaker: "Mayor",
    text: "Good evening.",
    words: [
      { start: 0.12345, end: 0.5, text: "Good" },
      { start: 0.6, end: 2.5, text: "evening." }
    ]
  },
  { start: 3, end: 4, text: "Aye." }
]
const long = said(Array.from({ length: 200 }, (_, at) => `This is sentence number ${at} of the meeting.`))

const record = putOnRecord(
  place("springfield"),
  agency("council", ["springfield"]),
  ...["both", "raw only", "silent", "again", "kept", "other"].map((name) => meeting(name, "council")),
  transcript("both", spoken, { generator: "refiner 2" }),
  transcript("both", [{ start: 0, end: 2, text: "good evning" }], { version: "raw" }),
  transcript("raw only", [{ start: 0, end: 2, text: "good evning" }], { version: "raw" }),
  transcript("again", long),
  transcript("kept", long),
  transcript("other", long)
)

const asked = (over: Partial<TranscriptQuery> = {}): TranscriptQuery => ({
  raw: false,
  words: true,
  format: "json",
  coding: "identity",
  ...over
})

const read = (name: string, over: Partial<TranscriptQuery> = {}) =>
  Transcripts.use((transcripts) => transcripts.read(meetingId(name), asked(over)))
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8")
const decode = (bytes: Uint8Array) =>
  Schema.decodeUnknownEffect(Transcript, { onExcessProperty: "error" })(JSON.parse(text(bytes)))

const Recorded = Layer.effectDiscard(record).pipe(Layer.provideMerge(TestDb))

layer(Transcripts.layer.pipe(Layer.provideMerge(Recorded)))("Transcripts.read", (it) => {
  it.effect("gives the refined version with its words, in seconds of three decimals", () =>
    Effect.gen(function* () {
      const { bytes } = yield* read("both")
      assert.deepStrictEqual(yield* decode(bytes), {
        meeting_id: meetingId("both"),
        version: "refined",
        language: "en",
        generator: "refiner 2",
        duration: 4,
        segments: [
          {
            start: 0.123,
            end: 2.5,
            speaker: "Mayor",
            text: "Good evening.",
            words: [
              { start: 0.123, end: 0.5, text: "Good" },
              { start: 0.6, end: 2.5, text: "evening." }
            ]
          },
          { start: 3, end: 4, text: "Aye." }
        ]
      })
    })
  )

  it.effect("omits the words on request", () =>
    Effect.gen(function* () {
      const { segments } = yield* decode((yield* read("both", { words: false })).bytes)
      assert.deepStrictEqual(segments[0], { start: 0.123, end: 2.5, speaker: "Mayor", text: "Good evening." })
    })
  )

  it.effect("gives the raw version for raw, and otherwise only if there is no other", () =>
    Effect.gen(function* () {
      for (const [name, raw] of [
        ["both", true],
        ["raw only", true],
        ["raw only", false]
      ] as const) {
        const { version, segments } = yield* decode((yield* read(name, { raw })).bytes)
        assert.strictEqual(version, "raw")
        assert.deepStrictEqual(segments, [{ start: 0, end: 2, text: "good evning" }])
      }
    })
  )

  it.effect("says which version is missing: the raw one, or any", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(read("again", { raw: true }))).part, "raw_transcript")
      assert.strictEqual((yield* Effect.flip(read("silent", { raw: true }))).part, "transcript")
      assert.strictEqual((yield* Effect.flip(read("silent"))).part, "transcript")
    })
  )

  it.effect("writes captions and plain text", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        text((yield* read("both", { format: "vtt" })).bytes),
        "WEBVTT\n\n00:00:00.123 --> 00:00:02.500\n<v Mayor>Good evening.\n\n00:00:03.000 --> 00:00:04.000\nAye.\n"
      )
      assert.strictEqual(
        text((yield* read("both", { format: "srt" })).bytes),
        "1\n00:00:00,123 --> 00:00:02,500\nMayor: Good evening.\n\n2\n00:00:03,000 --> 00:00:04,000\nAye.\n"
      )
      assert.strictEqual(text((yield* read("both", { format: "txt" })).bytes), "Mayor: Good evening.\n\nAye.\n")
    })
  )

  it.effect("compresses long ones, and sends the rest as they are", () =>
    Effect.gen(function* () {
      const plain = yield* read("again")
      for (const [coding, decompress] of [
        ["br", zlib.brotliDecompressSync],
        ["gzip", zlib.gunzipSync]
      ] as const) {
        const small = yield* read("again", { coding })
        assert.strictEqual(small.coding, coding)
        assert.isBelow(small.bytes.length, plain.bytes.length / 4)
        assert.strictEqual(text(decompress(small.bytes)), text(plain.bytes))
        assert.strictEqual((yield* read("both", { coding })).coding, "identity")
      }
    })
  )

  it.effect("has one tag for each rendering", () =>
    Effect.gen(function* () {
      const tags = yield* Effect.forEach(
        [{}, { words: false }, { format: "vtt" }, { format: "srt" }, { coding: "br" }, { coding: "gzip" }] as const,
        (over) => Effect.map(read("again", over), ({ etag }) => etag)
      )
      assert.strictEqual(new Set(tags).size, tags.length)
      for (const tag of tags) assert.match(tag, /^"[\w-]+"$/)
    })
  )

  it.effect("encodes once, however many callers there are, at once and later", () =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(Array.from({ length: 30 }), () => read("kept", { coding: "br" }), {
        concurrency: "unbounded"
      })
      all.push(yield* read("kept", { coding: "br" }))
      assert.strictEqual(new Set(all.map(({ bytes }) => bytes)).size, 1)
    })
  )

  it.effect("continues for a waiting caller when the first one has gone", () =>
    Effect.gen(function* () {
      const first = yield* Effect.forkChild(read("other", { coding: "gzip" }), { startImmediately: true })
      const second = yield* Effect.forkChild(read("other", { coding: "gzip" }), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* Fiber.join(second)).coding, "gzip")
    })
  )

  it.effect("gives the new version once it was imported again", () =>
    Effect.gen(function* () {
      const before = yield* read("again", { format: "txt" })
      yield* putOnRecord(transcript("again", said(["All of it was wrong."])))
      const after = yield* read("again", { format: "txt" })
      assert.strictEqual(text(after.bytes), "All of it was wrong.\n")
      assert.notStrictEqual(after.etag, before.etag)
      yield* putOnRecord(transcript("again", long))
      const restored = yield* read("again", { format: "txt" })
      assert.strictEqual(restored.etag, before.etag)
      assert.strictEqual(text(restored.bytes), text(before.bytes))
    })
  )
})

layer(Transcripts.layerBounded(100_000).pipe(Layer.provideMerge(Recorded)))("Transcripts within a bound", (it) => {
  it.effect("keep those requested last, and forget the rest", () =>
    Effect.gen(function* () {
      // Each is some 14 KB in JSON, so the bound holds seven.
      const imported = (name: string, generator: number) =>
        putOnRecord(transcript(name, long, { generator: `v${generator}` })).pipe(Effect.andThen(read(name)))
      const kept = yield* read("kept")
      const other = yield* read("other")
      assert.isAbove(kept.bytes.length, 10_000)
      for (let generator = 0; generator < 10; generator++) {
        yield* imported("again", generator)
        assert.strictEqual((yield* read("kept")).bytes, kept.bytes)
      }
      const again = yield* read("other")
      assert.notStrictEqual(again.bytes, other.bytes)
      assert.strictEqual(text(again.bytes), text(other.bytes))
    })
  )
})

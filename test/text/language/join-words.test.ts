import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Word } from "../../../schema/transcript.ts"
import { piecesOf } from "../../../src/pipeline/stages/transcribe/transcribe.ts"
import { joinPieces } from "../../../src/text/language/join-words.ts"

const overlap = 15

/** Words of a small vocabulary, so that most are repeated again and again, with pauses between some of them. */
const speech = fc
  .array(
    fc.tuple(
      fc.constantFrom("the", "motion", "no", "greenway", "aye"),
      fc.integer({ min: 2, max: 12 }),
      fc.integer({ min: 0, max: 20 })
    ),
    { minLength: 1, maxLength: 400 }
  )
  .map((said) => {
    let at = 0
    return said.map(([text, length, pause]): Word => {
      const start = at + (pause > 15 ? pause : 0)
      at = start + length
      return { text, start: start / 10, end: at / 10 }
    })
  })

/** A recognizer's result for a piece: the words in it, and half of one at either edge as something else. */
const heard = (words: ReadonlyArray<Word>, start: number, end: number) => ({
  start,
  end,
  words: words
    .filter((word) => word.end > start && word.start < end)
    .map((word) =>
      word.start < start || word.end > end
        ? { text: "uh", start: Math.max(word.start, start), end: Math.min(word.end, end) }
        : word
    )
})

describe("pieces of a recording that overlap", () => {
  it("restore the spoken words, however the recording is cut", () => {
    fc.assert(
      fc.property(
        speech,
        fc.array(fc.integer({ min: 16, max: 120 }), { minLength: 1, maxLength: 40 }),
        (words, lengths) => {
          const duration = words.at(-1)?.end ?? 0
          const pieces = []
          let start = 0
          for (let at = 0; start < duration; at++) {
            const length = lengths[at % lengths.length] ?? 60
            pieces.push(heard(words, start, Math.min(duration, start + length + overlap)))
            start += length
          }
          assert.deepStrictEqual(joinPieces(pieces), words)
        }
      ),
      { numRuns: 500 }
    )
  })

  it("keep the words of each if they agree on nothing", () => {
    const [one, other] = [
      { text: "one", start: 1, end: 2 },
      { text: "two", start: 30, end: 31 }
    ]
    assert.deepStrictEqual(
      joinPieces([
        { start: 0, end: 20, words: [one] },
        { start: 10, end: 40, words: [other] }
      ]),
      [one, other]
    )
  })

  it("cover a recording of any length, and overlap by 15 seconds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50_000 }), (duration) => {
        const pieces = piecesOf(duration, 600)
        assert.strictEqual(pieces[0]?.start, 0)
        assert.strictEqual(pieces.at(-1)?.end, duration)
        for (const [at, { start, end }] of pieces.entries()) {
          assert.isAbove(end, start)
          assert.isAtMost(end - start, 615)
          if (at > 0) assert.strictEqual((pieces[at - 1]?.end ?? 0) - start, overlap)
        }
      })
    )
  })
})

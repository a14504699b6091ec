import { assert, describe, it } from "@effect/vitest"
import type { Segment } from "../../../schema/transcript.ts"
import { clipCaptions } from "../../../src/services/clips/clip-captions.ts"

const words = (start: number, ...texts: ReadonlyArray<string>): Segment => ({
  start,
  end: start + texts.length,
  speaker: "Mayor",
  text: texts.join(" "),
  words: texts.map((text, at) => ({ start: start + at, end: start + at + 1, text }))
})

describe("the captions of a clip", () => {
  it("are the words spoken in it, with times relative to its start", () => {
    const segments = [words(8, "All", "in", "favour", "say", "aye."), words(14, "The", "motion", "carries.")]
    assert.strictEqual(
      clipCaptions(segments, { start: 10, end: 16 }),
      [
        "WEBVTT",
        "",
        "00:00:00.000 --> 00:00:03.000",
        "<v Mayor>favour say aye.",
        "",
        "00:00:04.000 --> 00:00:06.000",
        "<v Mayor>The motion",
        ""
      ].join("\n")
    )
  })

  it("keep a word cut at the edge on the side with most of it", () => {
    const segments = [words(0, "one", "two", "three")]
    assert.include(clipCaptions(segments, { start: 0.4, end: 1.6 }), "one two")
    assert.notInclude(clipCaptions(segments, { start: 0.6, end: 1.4 }) ?? "", "one")
    assert.isUndefined(clipCaptions(segments, { start: 0.6, end: 1.4 }))
  })

  it("are the whole of a segment whose words have no times, within the clip", () => {
    const segments = [{ start: 5, end: 20, text: "A long turn." }]
    assert.strictEqual(
      clipCaptions(segments, { start: 10, end: 12.5 }),
      "WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nA long turn.\n"
    )
  })

  it("are none if nobody speaks", () => {
    assert.isUndefined(clipCaptions([words(0, "before"), words(9, "after")], { start: 2, end: 9 }))
    assert.isUndefined(clipCaptions([], { start: 2, end: 9 }))
  })
})

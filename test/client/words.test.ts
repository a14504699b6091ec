import { assert, describe, it } from "@effect/vitest"
import { clock, folded, lastBefore, piecesOf, placed as placedIn } from "../../src/client/words.ts"
import { clock as saidClock } from "../../src/pages/said.ts"

const placed = (text: string, segments: Parameters<typeof piecesOf>[0], lengths?: string) =>
  placedIn(text, piecesOf(segments, lengths).pieces)

const word = (start: number, text: string) => ({ start, end: start + 0.4, text })

describe("the words of a turn", () => {
  it("stand where the text has them, each after the one before, though they repeat", () => {
    const segments = [
      { start: 0, end: 2, text: "no, no way", words: [word(0, "no,"), word(0.5, "no"), word(1, "way")] },
      { start: 2, end: 3, text: "no.", words: [word(2, "no.")] }
    ]
    assert.deepStrictEqual(
      placed("no, no way no.", segments).map(({ start, from, to }) => [start, from, to]),
      [
        [0, 0, 3],
        [0.5, 4, 6],
        [1, 7, 10],
        [2, 11, 14]
      ]
    )
  })

  it("skip one that the text does not have, and do not look for it in the next segment", () => {
    const segments = [
      { start: 0, end: 1, text: "the vote", words: [word(0, "the"), word(0.3, "motion"), word(0.6, "vote")] },
      { start: 1, end: 2, text: "the motion", words: [word(1, "the"), word(1.5, "motion")] }
    ]
    assert.deepStrictEqual(
      placed("the vote the motion", segments).map(({ start, from }) => [start, from]),
      [
        [0, 0],
        [0.6, 4],
        [1, 9],
        [1.5, 13]
      ]
    )
  })

  it("are one for a whole segment whose words have no times", () => {
    const segments = [
      { start: 0, end: 4, text: "Good evening." },
      { start: 5, end: 9, text: "The roll." }
    ]
    assert.deepStrictEqual(placed("Good evening. The roll.", segments), [
      { start: 0, end: 4, from: 0, to: 13 },
      { start: 5, end: 9, from: 14, to: 23 }
    ])
  })
})

describe("folded text", () => {
  it("is as long as the text, and has no accents, capitals or curly apostrophes", () => {
    for (const [text, plain] of [
      ["Ångström, Peña", "angstrom, pena"],
      ["WE’LL SEE İt", "we'll see it"],
      ["日本 🎺 ß", "日本 🎺 ß"]
    ] as const) {
      assert.strictEqual(folded(text), plain)
      assert.strictEqual(folded(text).length, text.length)
    }
  })
})

describe("lastBefore", () => {
  it("gives the last start that is not after a time, and -1 before the first", () => {
    const starts = [0.5, 2, 2, 9]
    for (const [time, index] of [
      [0, -1],
      [0.5, 0],
      [2, 2],
      [8.99, 2],
      [100, 3]
    ] as const) {
      assert.strictEqual(lastBefore(starts, time), index)
    }
    assert.strictEqual(lastBefore([], 1), -1)
  })
})

describe("the clock of scripts", () => {
  it("shows seconds as pages do", () => {
    for (const seconds of [0, 59.9, 60, 3599, 3600, 36_061.5]) assert.strictEqual(clock(seconds), saidClock(seconds))
  })
})

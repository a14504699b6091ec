import { assert, describe, it } from "@effect/vitest"
import { meant, turnsOf } from "../../../src/pages/meeting/turns.ts"

const segment = (start: number, end: number, speaker: string | undefined, text = "Aye.") => ({
  start,
  end,
  ...(speaker === undefined ? {} : { speaker }),
  text
})
const shape = (...asked: Parameters<typeof turnsOf>) =>
  turnsOf(...asked).map(({ start, speaker, goesOn, segments, opens }) => [start, speaker, goesOn, segments, opens])

describe("turns", () => {
  it("hold one speaker's words until another speaks or a pause of four seconds", () => {
    const segments = [segment(0, 2, "A", "One."), segment(3, 4, "A", "Two."), segment(4, 5, "B"), segment(9, 10, "B")]
    assert.deepStrictEqual(shape(segments, []), [
      [0, "A", false, 2, undefined],
      [4, "B", false, 1, undefined],
      [9, "B", true, 1, undefined]
    ])
    assert.strictEqual(turnsOf(segments, [])[0]?.text, "One. Two.")
  })

  it("begin with a chapter, even one that begins slightly later, and name each chapter once", () => {
    const chapters = [
      { title: "Opening", start: 0, end: 3 },
      { title: "Never said", start: 3, end: 3.5 },
      { title: "Roads", start: 4.03, end: 9 }
    ]
    assert.deepStrictEqual(shape([segment(0, 2, "A"), segment(4, 5, "A"), segment(5, 6, "A")], chapters), [
      [0, "A", false, 1, "Opening"],
      [4, "A", false, 2, "Roads"]
    ])
  })

  it("break a long speech, named or not, after a minute, and leave out no segment", () => {
    for (const speaker of [undefined, "A"]) {
      const segments = Array.from({ length: 100 }, (_, at) => segment(at * 5, at * 5 + 5, speaker))
      const turns = turnsOf(segments, [])
      assert.strictEqual(turns.length, 9)
      assert.strictEqual(
        turns.reduce((sum, turn) => sum + turn.segments, 0),
        100
      )
      assert.deepStrictEqual(turns.map(({ goesOn }) => goesOn).slice(0, 3), [false, true, true])
    }
  })
})

describe("the second of an address", () => {
  it("means the segment that begins within it, and otherwise itself", () => {
    const segments = [{ start: 1 }, { start: 66.802 }, { start: 80 }]
    assert.strictEqual(meant(66, segments), 66.802)
    assert.strictEqual(meant(67, segments), 67)
    assert.strictEqual(meant(0, segments), 0)
  })
})

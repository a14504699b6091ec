import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Segment } from "../../../schema/transcript.ts"
import { marks } from "../../../src/text/redact/marks.ts"
import { applied, type Removal } from "../../../src/text/redact/redact.ts"
import { linesAt, placeBefore, putBack, saidIn, takenFrom } from "../../../src/text/redact/taken.ts"

const words = ["the", "Zócalo", "2214", "𝔐aple", "e\u0301t\u00e9", "🏠", "o'clock", "三番", "[words removed]"]

/** Lines of words half a second each, most of them with times. */
const lines = fc.array(
  fc.record({ said: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 }), timed: fc.boolean() }),
  { minLength: 1, maxLength: 4 }
)

const segmentsOf = (all: ReadonlyArray<{ said: ReadonlyArray<string>; timed: boolean }>): ReadonlyArray<Segment> =>
  all.map(({ said, timed }, line) => {
    const [start, text] = [line * 10, said.join(" ")]
    const times = said.map((word, at) => ({ start: start + at, end: start + at + 0.5, text: word }))
    return { start, end: start + said.length, text, ...(timed ? { words: times } : {}) }
  })

/** Ranges of whole words, none of which overlap, by kind. */
const rangesIn = (segments: ReadonlyArray<Segment>, picks: ReadonlyArray<number>): ReadonlyArray<Removal> => {
  const kinds = ["home", "box", "phone", "email", "other"] as const
  let pick = 0
  return segments.flatMap(({ text }, segment) => {
    const all = [...text.matchAll(/\S+/gu)].map((word) => ({ from: word.index, to: word.index + word[0].length }))
    return all.flatMap((range): ReadonlyArray<Removal> => {
      const drawn = picks[pick++ % picks.length] ?? 0
      return drawn < 5 ? [{ kind: kinds[drawn] ?? "other", rule: "drawn", parts: [{ segment, ...range }] }] : []
    })
  })
}

describe("words that were taken out", () => {
  it("are what was there before, once all are put back, in whatever order, texts and times", () => {
    fc.assert(
      fc.property(lines, fc.array(fc.nat(9), { minLength: 1, maxLength: 20 }), fc.nat(), (all, picks, order) => {
        const segments = segmentsOf(all)
        const out = rangesIn(segments, picks).map((removal) => takenFrom(segments, removal))
        let now = applied(segments, out)
        const left = [...out]
        while (left.length > 0) {
          const [next] = left.splice(order % left.length, 1)
          if (next === undefined) break
          // Where it stands now leads back to where it was.
          const standing = [...left, next]
          const back = putBack(now, next, standing)
          assert.isDefined(back)
          now = back
        }
        assert.deepStrictEqual(
          now.map(({ text }) => text),
          segments.map(({ text }) => text)
        )
        now.forEach((segment, at) => {
          if (segment.words !== undefined) assert.deepStrictEqual(segment, segments[at])
        })
      })
    )
  })

  it("are found in a line, in any case, and through no mark", () => {
    const line = { start: 0, end: 9, text: `I live at ${marks.home}, by Peña's Garage. At Garage, AT GARAGE!` }
    assert.deepStrictEqual(
      saidIn([line], "at garage", 0, 1).map(([part]) => part && line.text.slice(part.from, part.to)),
      ["At Garage", "AT GARAGE"]
    )
    for (const words of ["at by", "address", "live at address removed by", "garag", "…"]) {
      assert.lengthOf(saidIn([line], words, 0, 1), 0, words)
    }
    const [[found] = []] = saidIn([line], "penas garage", 0, 1)
    assert.deepStrictEqual(found, { segment: 0, from: 32, to: 45 })
    const standing = [{ kind: "home" as const, parts: [{ segment: 0, from: 10, to: 12 }] }]
    assert.deepStrictEqual(found && placeBefore(found, standing), { segment: 0, from: 17, to: 30 })
  })

  it("are looked for in the lines at a second, the nearest first", () => {
    const at = (start: number, end: number) => ({ start, end, text: "" })
    assert.deepStrictEqual(linesAt([at(0, 4), at(4.5, 9), at(30, 31)], 4.2), [0, 1])
    assert.deepStrictEqual(linesAt([at(0, 4), at(4.5, 9), at(30, 31)], 20), [1])
    assert.deepStrictEqual(linesAt([at(5, 9)], 1), [])
  })
})

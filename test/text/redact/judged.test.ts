import { assert, describe, it } from "@effect/vitest"
import type { Segment } from "../../../schema/transcript.ts"
import { type Held, type Judged, judged, type RemovalState } from "../../../src/text/redact/judged.ts"
import { applied, removalsIn } from "../../../src/text/redact/redact.ts"
import { wordsOf } from "../../../src/text/redact/taken.ts"

/** Lines of ten seconds, without word times. */
const said = (lines: ReadonlyArray<string>, from = 0): ReadonlyArray<Segment> =>
  lines.map((text, at) => ({ start: from + at * 10, end: from + at * 10 + 10, text }))

const again = (segments: ReadonlyArray<Segment>, held: ReadonlyArray<Held> = []) =>
  judged(segments, removalsIn(segments, new Set()), held)

const asHeld = (
  all: ReadonlyArray<Judged>,
  decided: Readonly<Record<number, RemovalState>> = {}
): ReadonlyArray<Held> =>
  all.map((removal, at) => ({ ...removal, id: String(at), state: decided[at] ?? removal.state }))

const shown = (all: ReadonlyArray<Judged>) => all.map(({ state, kept, was }) => [was?.id, state, wordsOf(kept)])
const out = (segments: ReadonlyArray<Segment>, all: ReadonlyArray<Judged>) =>
  applied(
    segments,
    all.filter(({ state }) => state !== "restored")
  ).map(({ text }) => text)

const lines = [
  "I live at 2214 Maple Street. She lives at 12 Elm Road.",
  "I live at 2214 Maple Street.",
  "My neighbor Zora Lund agrees."
]

describe("removals of a transcript that is made again", () => {
  const first = again(said(lines))

  it("keep what was decided about each, also where the same words are said twice", () => {
    assert.lengthOf(first, 3)
    const held = asHeld(first, { 1: "restored", 2: "restored" })
    const expected = [
      ["0", "removed", "2214 Maple Street"],
      ["1", "restored", "12 Elm Road"],
      ["2", "restored", "2214 Maple Street"]
    ]
    for (const later of [0, 4, 12]) {
      const segments = said(lines, later)
      assert.deepStrictEqual(shown(again(segments, held)), expected)
      assert.deepStrictEqual(out(segments, again(segments, held)).slice(0, 2), [
        "I live at [address removed]. She lives at 12 Elm Road.",
        "I live at 2214 Maple Street."
      ])
    }
  })

  it("put nothing back that is another address in the same line", () => {
    const held = asHeld(first, { 1: "restored" })
    const other = said([lines[0]?.replace("12 Elm Road", "4077 Quillfeather Lane") ?? ""])
    assert.deepStrictEqual(
      again(other, held).map(({ state }) => state),
      ["removed", "removed"]
    )
  })

  it("take out what a person took out: the words, or all that is said there if they are no longer recognized", () => {
    const kept = { before: "", after: "", parts: [{ text: "Zora Lund" }] }
    const parts = [{ segment: 2, from: 12, to: 21 }]
    const place = { start: 20, end: 30, parts, kind: "other", rule: "operator" } as const
    const added: Held = { ...place, id: "9", state: "added", kept }
    const all = again(said(lines, 9), [added])
    assert.strictEqual(out(said(lines, 9), all)[2], "My neighbor [words removed] agrees.")
    const misheard = said(["", "", "My neighbor sore and lunged agrees."])
    assert.strictEqual(out(misheard, again(misheard, [added]))[2], "[words removed]")
    assert.strictEqual(out(misheard, again(misheard, [{ ...place, id: "9", state: "added" }]))[2], "[words removed]")
  })

  it("are one where a rule and a person took out overlapping words", () => {
    const kept = { before: "", after: "", parts: [{ text: "at 2214 Maple" }] }
    const added: Held = {
      ...{ id: "9", state: "added", kind: "home", rule: "operator", start: 10, end: 20, kept },
      parts: [{ segment: 1, from: 7, to: 20 }]
    }
    const segments = said(["Hello.", "I live at 2214 Maple Street."])
    const all = again(segments, [added])
    assert.deepStrictEqual(shown(all), [["9", "added", "at 2214 Maple Street"]])
    assert.deepStrictEqual(out(segments, all), ["Hello.", "I live [address removed]."])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { phraseOutcomes } from "../../bench/redaction/phrases.ts"
import type { Outcome } from "../../bench/redaction/score.ts"

type Both = readonly [tuned: number, held: number]

/** The most phrasings of each kind that are left, and the most look-alikes that are taken, by half. */
const left: Readonly<Record<string, Both>> = {
  home: [2, 16],
  box: [0, 2],
  phone: [0, 1],
  email: [0, 1],
  stays: [0, 8]
}

const wrong = (outcomes: ReadonlyArray<Outcome>, kind: string, isHeldOut: boolean): number =>
  outcomes.filter(
    ({ label, isRemoved, isHeldOut: half }) => label === kind && half === isHeldOut && isRemoved === (label === "stays")
  ).length

describe("invented phrasings of homes, phones, mail addresses and boxes, and look-alikes", () => {
  it("are redacted no worse than before, in both halves", () => {
    const outcomes = phraseOutcomes(false)
    assert.isAtLeast(outcomes.filter(({ label }) => label !== "stays").length, 800)
    assert.isAtLeast(outcomes.filter(({ label }) => label === "stays").length, 800)
    for (const [kind, [tuned, held]] of Object.entries(left)) {
      assert.isAtMost(wrong(outcomes, kind, false), tuned, `${kind}, tuned on`)
      assert.isAtMost(wrong(outcomes, kind, true), held, `${kind}, held out`)
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import { phraseOutcomes } from "../../bench/redaction/phrases.ts"
import type { Outcome } from "../../bench/redaction/score.ts"

/** The most lines of each kind that are left, and the most that stay and are taken, in each set. */
const most: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "phrases.tsv": { home: 34, box: 1, phone: 0, email: 4, stays: 63 },
  "phrases-held-out.tsv": { home: 18, box: 2, phone: 0, email: 4, stays: 24 },
  "phrases-blind.tsv": { home: 9, box: 0, phone: 0, email: 0, stays: 1 },
  "letters.tsv": { home: 0, box: 0, phone: 0, email: 0, stays: 0 }
}

const wrong = (outcomes: ReadonlyArray<Outcome>, kind: string): number =>
  outcomes.filter(({ label, isRemoved }) => label === kind && isRemoved === (label === "stays")).length

describe("invented phrasings and letters with homes, phones, mail addresses and boxes, and look-alikes", () => {
  it("are redacted no worse than before", () => {
    for (const [file, kinds] of Object.entries(most)) {
      const all = phraseOutcomes(file, false)
      if (file === "phrases.tsv") {
        assert.isAtLeast(all.filter(({ label }) => label !== "stays").length, 1600)
        assert.isAtLeast(all.filter(({ label }) => label === "stays").length, 1600)
      }
      for (const [kind, count] of Object.entries(kinds)) assert.isAtMost(wrong(all, kind), count, `${kind} in ${file}`)
    }
  })
})

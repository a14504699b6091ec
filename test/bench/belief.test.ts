import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { halves, kinds, readClaims } from "../../bench/belief/claims.ts"
import type { Judge } from "../../bench/belief/judges.ts"
import { count, outcomesOf } from "../../bench/belief/score.ts"
import { areThere } from "../support/real-transcripts.ts"

type Both = readonly [tuned: number, held: number]

/** The most false claims that are served, and the fewest true ones, by half. */
const served = {
  nobody: { false: [0, 0], true: [0, 0] },
  likest: { false: [0, 0], true: [0, 0] },
  wary: { false: [50, 70], true: [212, 203] },
  careful: { false: [0, 0], true: [214, 201] }
} satisfies { readonly [judge in Judge]?: { readonly false: Both; readonly true: Both } }

/** The fewest false claims that code refutes by itself, and the most true ones. */
const refuted = { false: [96, 92], true: [5, 6] } as const

describe("sentences about speech in real meetings, half of them false", async () => {
  if (!areThere) return void it("need ../shared/data", ({ skip }) => skip("../shared/data is not there"))
  const claims = await readClaims()
  const results = await Effect.runPromise(outcomesOf(claims, ["likest", "wary", "careful"]))

  it("are many, of every kind, and those that a careful judge supports are the true ones", () => {
    assert.isAtLeast(claims.length, 600)
    for (const kind of kinds) assert.isAtLeast(claims.filter((claim) => claim.kind === kind).length, 15, kind)
    for (const { kind, verdict, quotes, evidence, text } of claims) {
      assert.strictEqual(verdict === "supported", kind === "true", text)
      assert.isTrue(verdict === "unsupported" || quotes.length > 0, text)
      for (const { utterance, from, to } of quotes) {
        assert.isTrue(from < to && to <= (evidence[utterance]?.text.length ?? 0), text)
      }
    }
    const known = new Set(["true", ...kinds])
    assert.deepStrictEqual(
      claims.filter(({ kind }) => !known.has(kind)),
      []
    )
  })

  it.each(["nobody", "likest", "wary", "careful"] as const)(
    "are served no worse than before when judged by: %s",
    (judge) => {
      for (const [at, half] of halves.entries()) {
        const outcomes = results.get(judge) ?? []
        assert.isAtMost(count(outcomes, half, "false").served, served[judge].false[at] ?? 0, half)
        assert.isAtLeast(count(outcomes, half, "true").served, served[judge].true[at] ?? 0, half)
      }
    }
  )

  it("are refuted by code no worse than before", () => {
    for (const [at, half] of halves.entries()) {
      const outcomes = results.get("nobody") ?? []
      assert.isAtLeast(count(outcomes, half, "false").refuted, refuted.false[at] ?? 0, half)
      assert.isAtMost(count(outcomes, half, "true").refuted, refuted.true[at] ?? 0, half)
    }
  })
})

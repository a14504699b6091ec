import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { check } from "../../../src/pipeline/verify/check.ts"
import { judge } from "../../../src/pipeline/verify/rules.ts"
import { alteredClaims, kinds, seeded } from "./altered.ts"
import { modelThat } from "./fake-model.ts"

/** It calls so large a share of what it is asked supported, and quotes words that are there. */
const erring = (rate: number) => {
  const random = seeded(11)
  return modelThat(({ prompt }) => {
    const words = /\[1\] (?:[^:\n]*: )?(.*)/u.exec(prompt)?.[1] ?? ""
    return { verdict: random() < rate ? "supported" : "unsupported", quotes: [{ passage: 1, words }] }
  })
}

const claims = alteredClaims(500, 7)

describe("500 claims of what was said in the sample's meetings, half of them altered", () => {
  it("are refuted by code in every altered claim but those whose vote was another's, and in no other", () => {
    const refuted = (kind: string) =>
      claims.filter(
        (claim) =>
          claim.kind === kind && ["contradicted", "unsupported"].includes(judge(claim.claim, claim.passages).verdict)
      ).length
    assert.deepStrictEqual(Object.fromEntries(["as said", ...kinds].map((kind) => [kind, refuted(kind)])), {
      "as said": 0,
      number: 50,
      name: 50,
      negation: 50,
      vote: 48,
      speaker: 50
    })
    assert.strictEqual(claims.filter(({ kind }) => kind === "as said").length, 250)
  })

  it.effect.each([0, 0.3, 1])(
    "are never served where code refutes them, if the model calls %d of them supported",
    (rate) =>
      Effect.gen(function* () {
        const checked = yield* Effect.forEach(claims, (claim) =>
          Effect.map(check(claim.claim, claim.passages), ({ verdict }) => ({ ...claim, verdict }))
        )
        const served = checked.filter(({ kind, verdict }) => kind !== "as said" && verdict === "supported")
        assert.isAtMost(served.length, rate === 0 ? 0 : 2)
        for (const { claim, passages } of served) assert.strictEqual(judge(claim, passages).verdict, "unknown")
        assert.isAtLeast(
          checked.filter(({ kind, verdict }) => kind === "as said" && verdict === "supported").length,
          248
        )
      }).pipe(Effect.provide(erring(rate)))
  )
})

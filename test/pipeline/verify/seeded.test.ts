import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { check } from "../../../src/pipeline/stages/verify/check.ts"
import { judge } from "../../../src/text/verify/rules.ts"
import { likest } from "../../support/able-model.ts"
import { areThere, realTranscripts } from "../../support/real-transcripts.ts"
import { type Altered, alteredClaims, kinds, sampleTranscripts, seeded, withSpeakers } from "./altered.ts"
import { carefulModelThat } from "./fake-model.ts"

/** Calls this share of its claims supported, and quotes words that are there. */
const erring = (rate: number) => {
  const random = seeded(11)
  return carefulModelThat((prompt) => ({
    verdict: random() < rate ? "supported" : "unsupported",
    quotes: likest(prompt)
  }))
}

interface Judged extends Altered {
  readonly isRefuted: boolean
}

/** The claims, each judged by code once for all tests. */
const judged = (claims: ReadonlyArray<Altered>): ReadonlyArray<Judged> =>
  claims.map((one) => ({
    ...one,
    isRefuted: ["contradicted", "unsupported"].includes(judge(one.claim, one.evidence).verdict)
  }))

/** How many of each kind code refutes. */
const refuted = (claims: ReadonlyArray<Judged>) =>
  Object.fromEntries(
    ["as said", ...kinds].map((kind) => [kind, claims.filter((claim) => claim.kind === kind && claim.isRefuted).length])
  )

/** The minimum share of unaltered claims that are served; a claim of a cut sentence is left to the model. */
const check500 = (
  claims: ReadonlyArray<Judged>,
  expected: ReturnType<typeof refuted>,
  { leastServed }: { readonly leastServed: number }
) => {
  it("are refuted by code if altered, and never otherwise", () => {
    assert.lengthOf(
      claims.filter(({ kind }) => kind === "as said"),
      250
    )
    assert.deepStrictEqual(refuted(claims), expected)
  })

  it.effect.each([0, 0.3, 1])(
    "are never served if code refutes them, even if the model calls %d of them supported",
    (rate) =>
      Effect.gen(function* () {
        const checked = yield* Effect.forEach(claims, (claim) =>
          Effect.map(check(claim.claim, claim.evidence), ({ verdict }) => ({ ...claim, verdict }))
        )
        const served = checked.filter(({ verdict }) => verdict === "supported")
        assert.deepStrictEqual(
          served.filter(({ isRefuted }) => isRefuted),
          []
        )
        const altered = served.filter(({ kind }) => kind !== "as said")
        const missed = claims.filter((claim) => claim.kind !== "as said" && !claim.isRefuted)
        assert.isAtMost(altered.length, missed.length)
        assert.isAtLeast(served.length - altered.length, rate === 1 ? 245 : leastServed)
      }).pipe(Effect.provide(erring(rate)))
  )
}

describe("500 claims about speech in the sample's meetings, half of them altered", () => {
  const claims = judged(alteredClaims(sampleTranscripts, 500, 7))
  check500(claims, { "as said": 0, number: 50, name: 50, negation: 50, vote: 49, speaker: 50 }, { leastServed: 248 })
})

if (areThere) {
  describe("500 claims about speech in real meetings, half of them altered", async () => {
    let position = 0
    const real = await realTranscripts((name) =>
      /^(?:city|county|planning|beer)-/u.test(name) ? position++ % 29 === 0 : /sentences_1$|expected-|brief/u.test(name)
    )
    const claims = judged(alteredClaims(withSpeakers(real.values(), 3), 500, 7))
    check500(claims, { "as said": 0, number: 50, name: 50, negation: 49, vote: 50, speaker: 50 }, { leastServed: 0 })
  })
} else {
  describe("500 claims about speech in real meetings", () =>
    void it("need ../shared/data", ({ skip }) => skip("../shared/data is not there")))
}

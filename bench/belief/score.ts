import { Effect } from "effect"
import { CheckModel } from "../../layers/cloud-model/check-model.ts"
import { check } from "../../src/pipeline/stages/verify/check.ts"
import { type Claim, type Half, halves, kinds } from "./claims.ts"
import { type Judge, modelOf } from "./judges.ts"

/** A claim as it left the check. */
export interface Outcome {
  readonly claim: Claim
  readonly isServed: boolean
  /** Whether nobody decided it. */
  readonly isOpen: boolean
}

/** What the verify stage makes of a claim with this judge as its checker. */
const outcomeWith = (judge: Judge, claim: Claim) =>
  check(claim.text, claim.evidence, Effect.void, claim.context).pipe(
    Effect.provideService(CheckModel, modelOf(judge, claim)),
    Effect.flatMap(({ verdict }): Effect.Effect<Outcome> => {
      if (verdict === "unknown" && judge !== "nobody") {
        return Effect.die(new Error(`The answer of the judge "${judge}" could not be used: ${claim.text}`))
      }
      return Effect.succeed({ claim, isServed: verdict === "supported", isOpen: verdict === "unknown" })
    })
  )

/** The outcome of every claim, by judge and without any. A judge is asked only about what code leaves open. */
export const outcomesOf = Effect.fn("Belief.outcomesOf")(function* (
  claims: ReadonlyArray<Claim>,
  judges: ReadonlyArray<Judge>
) {
  const byCode = yield* Effect.forEach(claims, (claim) => outcomeWith("nobody", claim))
  const results = new Map<Judge, ReadonlyArray<Outcome>>([["nobody", byCode]])
  for (const judge of judges) {
    results.set(
      judge,
      yield* Effect.forEach(byCode, (one) => (one.isOpen ? outcomeWith(judge, one.claim) : Effect.succeed(one)))
    )
  }
  return results
})

/** How many of some claims are meant, are refuted by code, and are served. */
interface Count {
  readonly of: number
  readonly refuted: number
  readonly served: number
}

/** Counts the claims of a half that are false, in all or of one kind, or that are `true`. */
export const count = (outcomes: ReadonlyArray<Outcome>, half: Half, kind: string): Count => {
  const those = outcomes.filter(
    ({ claim }) => claim.half === half && (kind === "false" ? claim.kind !== "true" : claim.kind === kind)
  )
  return {
    of: those.length,
    refuted: those.filter(({ isOpen, isServed }) => !isOpen && !isServed).length,
    served: those.filter(({ isServed }) => isServed).length
  }
}

/** A row for each kind, and those of all false and all true claims, also as a share of a hundred. */
export const table = (results: ReadonlyMap<Judge, ReadonlyArray<Outcome>>): ReadonlyArray<string> => {
  const judged = [...results.values()]
  const [nobody = []] = judged
  const cells = (kind: string) => {
    const both = (outcomes: ReadonlyArray<Outcome>, what: keyof Count) =>
      halves.map((half) => count(outcomes, half, kind)[what])
    return [both(nobody, "of"), both(nobody, "refuted"), ...judged.map((outcomes) => both(outcomes, "served"))]
  }
  const row = (name: string, texts: ReadonlyArray<string>) => `| ${[name, ...texts].join(" | ")} |`
  const counts = (name: string, kind: string) =>
    row(
      name,
      cells(kind).map((both) => both.join(" + "))
    )
  const shares = (kind: string) => {
    const sums = cells(kind).map((both) => both.reduce((sum, one) => sum + one, 0))
    return row(
      "in a hundred",
      sums.map((sum, at) => (at === 0 ? "" : ((100 * sum) / (sums[0] ?? 1)).toFixed(1)))
    )
  }
  const columns = ["claims", "refuted by code", ...results.keys()]
  return [
    row("altered in", columns),
    row(
      "---",
      columns.map(() => "--:")
    ),
    ...kinds.map((kind) => counts(kind, kind)),
    counts("all false ones", "false"),
    shares("false"),
    counts("true ones", "true"),
    shares("true")
  ]
}

import { Effect } from "effect"
import { CheckModel } from "../../../../layers/cloud-model/check-model.ts"
import { CloudModel } from "../../../../layers/cloud-model/cloud-model.ts"
import { carries } from "../../../text/verify/carries.ts"
import { type Context, type Judgement, judge } from "../../../text/verify/rules.ts"
import { type Utterance, wordsOf } from "../../../text/verify/words.ts"
import { askModel } from "./model-judge.ts"

/** A verdict, and the checker that gave it. */
interface Checked extends Judgement {
  readonly by: "code" | "model"
}

/**
 * Checks a claim against what was said. The model decides only claims that code cannot, so that it can never be talked
 * into supporting one that code refutes; without a model that is not the writer, such claims stay `unknown`. What it
 * quotes for its verdict must bear the claim (`carries`). `beforeModel` runs before each model call and may refuse it
 * (a budget). `context` is what code knows about the meeting beyond the claim's citation. The checker does not know how
 * or why the claim was written.
 */
export const check = Effect.fn("Verify.check")(function* <E = never, R = never>(
  claim: string,
  evidence: ReadonlyArray<Utterance>,
  beforeModel: Effect.Effect<void, E, R> = Effect.void,
  context?: Context
) {
  const byCode = judge(claim, evidence, context)
  const checker = yield* CheckModel
  if (byCode.verdict !== "unknown" || checker === undefined) return { ...byCode, by: "code" } satisfies Checked
  const byModel = yield* Effect.provideService(askModel(claim, evidence, beforeModel), CloudModel, checker)
  // Whoever is convinced, the words that convince are held against the claim.
  const isBorne = byModel.verdict !== "supported" || carries(wordsOf(claim), evidence, byModel.quotes, context)
  return (isBorne ? { ...byModel, by: "model" } : { verdict: "unsupported", quotes: [], by: "code" }) satisfies Checked
})

import { Effect } from "effect"
import { CheckModel } from "../../../../layers/cloud-model/check-model.ts"
import { CloudModel } from "../../../../layers/cloud-model/cloud-model.ts"
import { carries } from "../../../text/verify/carries/carries.ts"
import { type Context, type Judgement, judge } from "../../../text/verify/rules.ts"
import { twinOf } from "../../../text/verify/twin.ts"
import { type Utterance, wordsOf } from "../../../text/verify/words.ts"
import { askModel } from "./model-judge.ts"

/** A verdict, and the checker that gave it. */
export interface Checked extends Judgement {
  readonly by: "code" | "model"
  /** Whether the model supported the claim and its twin alike, so that its word counts for nothing. */
  readonly isCredulous?: true
}

/**
 * Checks a claim against what was said. The model decides only claims that code cannot, so that it can never be talked
 * into supporting one that code refutes; without a model that is not the writer, such claims stay `unknown`. What it
 * quotes for its verdict must bear the claim (`carries`), and it must not support the claim's twin too (`twinOf`).
 * `beforeModel` runs before each model call and may refuse it (a budget). `context` is what code knows about the
 * meeting beyond the claim's citation. The checker does not know how or why the claim was written.
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
  const asked = (text: string) => Effect.provideService(askModel(text, evidence, beforeModel), CloudModel, checker)
  const byModel = yield* asked(claim)
  if (byModel.verdict !== "supported") return { ...byModel, by: "model" } satisfies Checked
  // Whoever is convinced, the words that convince are held against the claim.
  const refused: Checked = { verdict: "unsupported", quotes: [], by: "code" }
  if (!carries(wordsOf(claim), evidence, byModel.quotes, context)) return refused
  const ofTwin = yield* asked(twinOf(claim))
  return ofTwin.verdict === "supported"
    ? { ...refused, isCredulous: true }
    : ({ ...byModel, by: "model" } satisfies Checked)
})

import { Effect } from "effect"
import { CloudModel } from "../../../../layers/cloud-model/cloud-model.ts"
import { type Context, type Judgement, judge } from "../../../text/verify/rules.ts"
import type { Utterance } from "../../../text/verify/words.ts"
import { askModel } from "./model-judge.ts"

/** A verdict, and what gave it. */
interface Checked extends Judgement {
  readonly by: "code" | "model"
}

/**
 * Checks a claim against what was said. The model is asked only what code cannot decide, so that nothing code refutes
 * can be talked into `supported`; without a model such a claim stays `unknown`. `beforeModel` runs before each call of
 * the model and may refuse it (a budget). `context` is what code knows about the meeting beyond what the claim cites.
 * How or why the claim was written is not known here.
 */
export const check = Effect.fn("Verify.check")(function* <E = never, R = never>(
  claim: string,
  evidence: ReadonlyArray<Utterance>,
  beforeModel: Effect.Effect<void, E, R> = Effect.void,
  context?: Context
) {
  const byCode = judge(claim, evidence, context)
  const model = yield* CloudModel
  if (byCode.verdict !== "unknown" || !model.isConfigured) return { ...byCode, by: "code" } satisfies Checked
  return { ...(yield* askModel(claim, evidence, beforeModel)), by: "model" } satisfies Checked
})

import { Effect } from "effect"
import { CheckModel } from "../../../../layers/cloud-model/check-model.ts"
import { ModelBudget } from "../../../services/making/model-budget.ts"
import { type Context, judge } from "../../../text/verify/rules.ts"
import type { Utterance } from "../../../text/verify/words.ts"
import type { RelyingTask } from "../../relying.ts"
import { type Checked, check } from "./check.ts"

/**
 * How stages check a claim: by code, then by the model that checks, within the day's budget. A checker that is away for
 * good leaves a claim that code cannot decide `unknown`, as does a deployment without one.
 */
export const claimJudge = Effect.gen(function* () {
  const checker = yield* CheckModel
  const budget = yield* ModelBudget
  if (checker === undefined) {
    return (_task: RelyingTask, claim: string, evidence: ReadonlyArray<Utterance>, context: Context) =>
      Effect.succeed<Checked>({ ...judge(claim, evidence, context), by: "code" })
  }
  const model = { role: "checker", model: checker.place } as const
  return Effect.fn("Verify.judged")(function* (
    { models }: RelyingTask,
    claim: string,
    evidence: ReadonlyArray<Utterance>,
    context: Context
  ) {
    const byCode: Checked = { ...judge(claim, evidence, context), by: "code" }
    if (models.isGone("checker")) return byCode
    const checked = yield* check(claim, evidence, budget.check, context).pipe(
      Effect.provideService(CheckModel, checker),
      Effect.catchTags({
        CloudModelUnavailable: ({ message: reason, reason: cause, retryAfter: after }) =>
          models.without({ ...model, kind: "away", reason, after, cause }),
        BudgetSpent: (spent) => models.unpaid(model, spent)
      })
    )
    if (checked?.by === "model" && checked.verdict !== "unknown") models.answered("checker")
    return checked ?? byCode
  })
})

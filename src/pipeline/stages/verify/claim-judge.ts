import { createHash } from "node:crypto"
import { Effect, Option, Schema } from "effect"
import { CheckModel } from "../../../../layers/cloud-model/check-model.ts"
import type { Lack } from "../../../services/making/made-without.ts"
import { ModelBudget } from "../../../services/making/model-budget.ts"
import { StagePieces } from "../../../services/queue/stage-pieces.ts"
import { type Context, judge, rulesVersion } from "../../../text/verify/rules.ts"
import type { Utterance } from "../../../text/verify/words.ts"
import type { RelyingTask } from "../../relying.ts"
import { type Checked, check } from "./check.ts"
import { promptVersion } from "./model-judge.ts"

/** What a task lacks that has a claim to check, and nobody but the writer to ask. */
export const noChecker: Lack = {
  ...{ role: "checker", model: "", kind: "none", isPartial: false },
  reason: "no model that checks is configured (CHECK_MODEL_URL)"
}

/** A verdict that a model was asked for, as it is kept until the stage is done. */
const Kept = Schema.Struct({
  verdict: Schema.Literals(["supported", "unsupported", "contradicted"]),
  quotes: Schema.Array(Schema.Struct({ utterance: Schema.Int, from: Schema.Int, to: Schema.Int })),
  by: Schema.Literals(["code", "model"])
})
const asKept = Schema.decodeUnknownOption(Kept)

/**
 * How stages check a claim: by code, then by the model that checks, within the day's budget. A checker that is away for
 * good leaves a claim that code cannot decide `unknown`, as does a deployment without one. A stage that is tried again
 * asks for no verdict twice, unless the claim, what is held against it, the model, its prompt or the rules are others.
 */
export const claimJudge = Effect.gen(function* () {
  const checker = yield* CheckModel
  const budget = yield* ModelBudget
  const pieces = yield* StagePieces
  if (checker === undefined) {
    return (_task: RelyingTask, claim: string, evidence: ReadonlyArray<Utterance>, context: Context) =>
      Effect.succeed<Checked>({ ...judge(claim, evidence, context), by: "code" })
  }
  const model = { role: "checker", model: checker.place } as const
  return Effect.fn("Verify.judged")(function* (
    task: RelyingTask,
    claim: string,
    evidence: ReadonlyArray<Utterance>,
    context: Context
  ) {
    const { models } = task
    const byCode: Checked = { ...judge(claim, evidence, context), by: "code" }
    if (byCode.verdict !== "unknown") return byCode
    const about = [checker.place, promptVersion, rulesVersion, claim, evidence, context.around]
    const key = createHash("sha256").update(JSON.stringify(about)).digest("base64url")
    const known = yield* pieces.kept(task, key, Kept)
    if (Option.isSome(known)) {
      if (known.value.by === "model") models.answered("checker")
      const checked: Checked = known.value
      return checked
    }
    if (models.isGone("checker")) return byCode
    const checked = yield* check(claim, evidence, budget.check, context).pipe(
      Effect.provideService(CheckModel, checker),
      Effect.catchTags({
        CloudModelUnavailable: ({ message: reason, reason: cause, retryAfter: after }) =>
          models.without({ ...model, kind: "away", reason, after, cause }),
        BudgetSpent: (spent) => models.unpaid(model, spent)
      })
    )
    if (checked?.by === "model" && checked.verdict !== "unknown") models.answered("checker", true)
    const keep = checked?.isCredulous === true ? Option.none() : asKept(checked)
    if (Option.isSome(keep)) yield* pieces.keep(task, key, Kept, keep.value)
    return checked ?? byCode
  })
})

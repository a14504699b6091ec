import { Context, Data, DateTime, Duration, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { budgetIsSpent, Settings } from "../settings/settings.ts"
import { spentToday } from "./costs.ts"

/** Today's budget for models is spent; the next day begins at midnight UTC, in `seconds`. */
export class BudgetSpent extends Data.TaggedError("BudgetSpent")<{ readonly seconds: number }> {
  override get message(): string {
    return budgetIsSpent
  }
}

/** The daily budget of the pipeline for model calls. */
export class ModelBudget extends Context.Service<
  ModelBudget,
  {
    /**
     * Succeeds while the calls since midnight UTC have cost less than `budget.DailyMicros`, in millionths of a US
     * dollar; 0 means no limit. Called before each model call. Calls still under way are not counted, so the last few
     * may exceed the budget, and calls without a price count as free.
     */
    readonly check: Effect.Effect<void, BudgetSpent>
  }
>()("civic-record/ModelBudget") {
  static readonly layer = Layer.effect(
    ModelBudget,
    Effect.gen(function* () {
      const db = yield* Db
      const settings = yield* Settings

      const check = Effect.fn("ModelBudget.check")(function* () {
        const budget = yield* settings.get("budget.DailyMicros")
        if (budget === 0 || (yield* spentToday(db)) < budget) return
        const now = yield* DateTime.now
        const midnight = DateTime.add(DateTime.startOf(now, "day"), { days: 1 })
        return yield* new BudgetSpent({ seconds: Math.ceil(Duration.toSeconds(DateTime.distance(now, midnight))) })
      }, dbDies)

      return { check: check() }
    })
  )
}

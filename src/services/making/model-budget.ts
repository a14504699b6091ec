import { Context, Data, DateTime, Duration, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { Settings } from "../settings/settings.ts"
import { spentToday } from "./costs.ts"

/** What models may cost today is spent; at midnight UTC, in so many seconds, there is more. */
export class BudgetSpent extends Data.TaggedError("BudgetSpent")<{ readonly seconds: number }> {
  override get message(): string {
    return "Today's budget for models is spent (setting budget.DailyMicros). Work goes on after midnight UTC."
  }
}

/** What the pipeline may spend on models in a day. */
export class ModelBudget extends Context.Service<
  ModelBudget,
  {
    /**
     * Goes through while the calls since midnight UTC have cost less than `budget.DailyMicros`, in millionths of a US
     * dollar; 0 is no limit. It is called before each call. Calls already under way are not counted, so the last few
     * may exceed it, and calls without a price cost nothing.
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

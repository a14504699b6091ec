import { Context, Data, DateTime, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db.ts"

/** What models may cost today is spent; at midnight UTC, in so many seconds, there is more. */
export class BudgetSpent extends Data.TaggedError("BudgetSpent")<{ readonly seconds: number }> {
  override get message(): string {
    return "Today's budget for models is spent (setting budget.DailyMicros). Work goes on after midnight UTC."
  }
}

interface Row {
  readonly budget: number
  readonly spent: number
}

/** What the pipeline may spend on models in a day. */
export class ModelBudget extends Context.Service<
  ModelBudget,
  {
    /**
     * Goes through while the calls since midnight UTC have cost less than `budget.DailyMicros`, in millionths of a US dollar; 0, or
     * no such setting, is no limit. It is called before each call. Calls already under way are not counted, so the last few may
     * exceed it, and calls without a price cost nothing.
     */
    readonly check: Effect.Effect<void, BudgetSpent>
  }
>()("civic-record/ModelBudget") {
  static readonly layer = Layer.effect(
    ModelBudget,
    Effect.gen(function* () {
      const db = yield* Db

      const check = Effect.fn("ModelBudget.check")(function* () {
        const now = yield* DateTime.now
        const midnight = DateTime.startOf(now, "day")
        const [row] = yield* db<Row>`
          select coalesce((select value::text::float8 from setting where name = 'budget.DailyMicros'), 0) as budget,
            (select coalesce(sum(cost), 0)::float8 * 1000000 from model_usage
              where at >= ${DateTime.formatIso(midnight)}) as spent`
        if (row === undefined || row.budget === 0 || row.spent < row.budget) return
        const next = DateTime.toEpochMillis(DateTime.add(midnight, { days: 1 }))
        return yield* new BudgetSpent({ seconds: Math.ceil((next - DateTime.toEpochMillis(now)) / 1000) })
      }, dbDies)

      return { check: check() }
    })
  )
}

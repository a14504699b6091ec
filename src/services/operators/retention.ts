import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import { undoneWithin } from "../directory/reversals.ts"

/** Days for which operators' data is kept. */
const keptDays = { history: 730, usage: 730, drills: 90, unseen: 365 } as const

/** Bounds the data that operators look back on. Flows, workers and the log are pruned by their own services. */
export class Retention extends Context.Service<
  Retention,
  {
    /**
     * Deletes operators' history, revoked tokens and model costs after two years, drills and what undoes a merge after
     * 90 days, and discovered meetings that were never imported and that no source has listed for a year.
     */
    readonly prune: Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/Retention") {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const db = yield* Db
      const ago = (days: number) => db`now() - ${days}::int * interval '1 day'`
      const prune = Effect.fn("Retention.prune")(function* () {
        const calls = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: keptDays.usage }))
        yield* Effect.all(
          [
            db`delete from operator_action where at < ${ago(keptDays.history)}`,
            db`delete from agent_token where revoked_at < ${ago(keptDays.history)}`,
            db`delete from model_usage where at < ${calls}`,
            db`delete from reversal where at < ${ago(undoneWithin)}`,
            db`delete from drill where ended_at < ${ago(keptDays.drills)}`,
            db`delete from discovered where imported_at is null and seen_at < ${ago(keptDays.unseen)}`
          ],
          { discard: true }
        )
      })
      return { prune: prune() }
    })
  )
}

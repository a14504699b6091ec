import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import { undoneWithin } from "../directory/reversals.ts"
import { Settings } from "../settings/settings.ts"

/** Days for which operators' data is kept. */
const keptDays = { history: 730, settled: 90, usage: 730, drills: 90, unseen: 365, uploads: 7 } as const

/** Bounds the data that operators look back on. Flows, workers and the log are pruned by their own services. */
export class Retention extends Context.Service<
  Retention,
  {
    /**
     * Deletes operators' history, revoked tokens and model costs after two years, drills and what undoes a merge after
     * 90 days, reports of mistakes 90 days after they were settled or two years after nobody did, discovered meetings
     * that were never imported and that no source has listed for a year, recordings that operators gave and that were
     * not taken after a week of rest, and the words that were taken out of transcripts after the days of the setting
     * `pipeline.KeepRemovedWords`.
     */
    readonly prune: Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/Retention") {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const db = yield* Db
      const settings = yield* Settings
      const ago = (days: number) => db`now() - ${days}::int * interval '1 day'`
      const prune = Effect.fn("Retention.prune")(function* () {
        const now = yield* DateTime.now
        const calls = DateTime.formatIso(DateTime.subtract(now, { days: keptDays.usage }))
        const settled = DateTime.formatIso(DateTime.subtract(now, { days: keptDays.settled }))
        const rested = DateTime.formatIso(DateTime.subtract(now, { days: keptDays.uploads }))
        const words = DateTime.subtract(now, { days: yield* settings.get("pipeline.KeepRemovedWords") })
        yield* Effect.all(
          [
            db`delete from operator_action where at < ${ago(keptDays.history)}`,
            db`delete from agent_token where revoked_at < ${ago(keptDays.history)}`,
            db`delete from model_usage where at < ${calls}`,
            db`delete from reversal where at < ${ago(undoneWithin)}`,
            db`delete from drill where ended_at < ${ago(keptDays.drills)}`,
            db`
              delete from mistake_report
              where settled_at < ${settled} or (settled_at is null and created_at < ${calls})`,
            db`delete from discovered where imported_at is null and seen_at < ${ago(keptDays.unseen)}`,
            db`
              delete from given_recording g where taken_at is null and touched_at < ${rested} and not exists (
                select from flow f where f.meeting_id = g.meeting_id and f.kind = 'given' and f.state = 'open')`,
            // Words that were put back are in the transcript, and are needed to recognize them in the next one. What
            // stands around them need not be.
            db`
              update removal set kept = case state when 'restored' then kept || '{"before": "", "after": ""}' end
              where kept is not null and created_at < ${DateTime.formatIso(words)}
                and (state <> 'restored' or kept ->> 'before' <> '' or kept ->> 'after' <> '')`
          ],
          { discard: true }
        )
      })
      return { prune: prune() }
    })
  ).pipe(Layer.provide(Settings.layer))
}

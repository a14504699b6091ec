import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import { undoneWithin } from "../directory/reversals.ts"
import { packAgain } from "../meetings/packed-segments.ts"
import { Settings } from "../settings/settings.ts"

/** Days for which what is looked back on is kept. */
const keptDays = {
  history: 730,
  settled: 90,
  usage: 730,
  shares: 730,
  tokens: 90,
  pieces: 90,
  drills: 90,
  unseen: 365,
  hosts: 30,
  uploads: 7
} as const

/**
 * Bounds what would otherwise grow for ever (docs/operations/retention.md). Flows, workers, the log and the feed are
 * pruned by their own services.
 */
export class Retention extends Context.Service<
  Retention,
  {
    /**
     * Deletes operators' history, revoked tokens and model costs after two years, drills and what undoes a merge after
     * 90 days, reports of mistakes 90 days after they were settled or two years after nobody did, discovered meetings
     * that were never imported and that no source has listed for a year, recordings that operators gave and that were
     * not taken after a week of rest, and the words that were taken out of transcripts after the days of the setting
     * `pipeline.KeepRemovedWords`. Of readers: recorded shares after two years, revoked tokens after 90 days, and, as
     * soon as they open nothing, sessions, grants and changes of address that nobody confirmed, whose mailbox may be
     * somebody else's. Of work: the pieces of a stage that was not done in
     * 90 days, and the turns of hosts that nobody has asked for 30. Then packs transcripts that earlier builds wrote
     * with more bytes.
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
        const before = (days: number) => DateTime.formatIso(DateTime.subtract(now, { days }))
        const words = before(yield* settings.get("pipeline.KeepRemovedWords"))
        yield* Effect.all(
          [
            db`delete from operator_action where at < ${ago(keptDays.history)}`,
            db`delete from agent_token where revoked_at < ${ago(keptDays.history)}`,
            db`delete from model_usage where at < ${before(keptDays.usage)}`,
            db`delete from reversal where at < ${ago(undoneWithin)}`,
            db`delete from drill where ended_at < ${ago(keptDays.drills)}`,
            db`
              delete from mistake_report
              where settled_at < ${before(keptDays.settled)} or (settled_at is null and created_at < ${before(keptDays.usage)})`,
            db`delete from recorded_share where created_at < ${before(keptDays.shares)}`,
            db`delete from reader_token where revoked_at < ${before(keptDays.tokens)}`,
            db`delete from session where expires_at <= ${before(0)}`,
            db`delete from share_grant where expires_at <= ${before(0)}`,
            db`delete from email_change where expires_at <= ${before(0)}`,
            db`delete from stage_piece where made_at < ${ago(keptDays.pieces)}`,
            db`delete from host_pace where next_at < ${ago(keptDays.hosts)}`,
            db`delete from discovered where imported_at is null and seen_at < ${ago(keptDays.unseen)}`,
            db`
              delete from given_recording g where taken_at is null and touched_at < ${before(keptDays.uploads)} and not exists (
                select from flow f where f.meeting_id = g.meeting_id and f.kind = 'given' and f.state = 'open')`,
            // Words that were put back are in the transcript, and are needed to recognize them in the next one. What
            // stands around them need not be.
            db`
              update removal set kept = case state when 'restored' then kept || '{"before": "", "after": ""}' end
              where kept is not null and created_at < ${words}
                and (state <> 'restored' or kept ->> 'before' <> '' or kept ->> 'after' <> '')`
          ],
          { discard: true }
        )
        yield* packAgain(db)
      })
      return { prune: prune() }
    })
  ).pipe(Layer.provide(Settings.layer))
}

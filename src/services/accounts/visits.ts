import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AccountId } from "../../../schema/primitives.ts"

/** So long without a page, and the next one begins another visit. */
const quiet = Duration.minutes(30)
/** Between two writes of a visit, so that not every page causes one. */
const notedEvery = Duration.minutes(5)

/**
 * Since when things are new to a reader, on whichever device. A visit begins with the first page after 30 minutes
 * without one. What came on record or changed after the last page of the visit before is new, until the next visit
 * begins. Only pages that a browser opens count: programs, prefetches and scripts do not. A page is noted when the last
 * note is 5 minutes old, so the mark may be up to 5 minutes early: then something is new twice, and nothing is missed.
 */
export class Visits extends Context.Service<
  Visits,
  {
    /** Notes a page of an account, and returns since when things are new to it: undefined on its first visit. */
    readonly note: (account: AccountId) => Effect.Effect<string | undefined>
    /** The same without noting anything. */
    readonly newSince: (account: AccountId) => Effect.Effect<string | undefined>
  }
>()("civic-record/Visits") {
  static readonly layer = Layer.effect(
    Visits,
    Effect.gen(function* () {
      const db = yield* Db

      const read = Effect.fnUntraced(function* (account: AccountId) {
        const [row] = yield* db<{ seen_at: Date; new_since: Date | null }>`
          select seen_at, new_since from account_visit where account_id = ${account}`
        return row
      })

      const note = Effect.fn("Visits.note")(function* (account: AccountId) {
        const now = yield* DateTime.now
        const ago = (duration: Duration.Duration) => DateTime.formatIso(DateTime.subtractDuration(now, duration))
        const known = yield* read(account)
        if (known !== undefined && known.seen_at.toISOString() > ago(notedEvery)) return known.new_since?.toISOString()
        // Of pages opened at once, one moves the mark.
        const [noted] = yield* db<{ new_since: Date | null }>`
          insert into account_visit as v (account_id, seen_at)
          select id, ${DateTime.formatIso(now)}::timestamptz from account where id = ${account}
          on conflict (account_id) do update set seen_at = excluded.seen_at,
            new_since = case when v.seen_at <= ${ago(quiet)}::timestamptz then v.seen_at else v.new_since end
          where v.seen_at <= ${ago(notedEvery)}::timestamptz
          returning new_since`
        return (noted ?? (yield* read(account)))?.new_since?.toISOString()
      }, dbDies)

      const newSince = Effect.fn("Visits.newSince")(function* (account: AccountId) {
        return (yield* read(account))?.new_since?.toISOString()
      }, dbDies)

      return { note, newSince }
    })
  )
}

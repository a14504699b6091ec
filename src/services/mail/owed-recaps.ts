import { DateTime, Effect } from "effect"
import { advisoryLocks } from "../../../layers/db/advisory-locks.ts"
import type { Sql } from "../../../layers/db/db.ts"
import type { EmailPreferences } from "../../../schema/account.ts"
import type { AccountId, MeetingId } from "../../../schema/primitives.ts"
import { type DueRecap, putOutgoing, recapMails } from "./outgoing.ts"
import { latestSlot } from "./slots.ts"

/** How long after its last change a meeting is mailed: its figures are imported after its recap. */
const settled = { minutes: 1 }

/** Whether an account `o` follows the body of a meeting `m`, or a place that it serves. */
const follows = (db: Sql) => db`(
  exists (select from followed_body f where f.account_id = o.account_id and f.body_id = m.body_id)
  or exists (select from followed_place f join body_place bp on bp.place_id = f.place_id
    where f.account_id = o.account_id and bp.body_id = m.body_id))`

/** A meeting `m` with a recap or a briefing, and if there is a briefing, one that is published. */
const isTold = (db: Sql) => db`
  m.status = 'held' and not exists (select from recap_ready r where r.meeting_id = m.id)
  and (exists (select from published_briefing b where b.meeting_id = m.id)
    or not exists (select from briefing b where b.meeting_id = m.id)
      and exists (select from recap r where r.meeting_id = m.id))`

/** The most meetings that become ready at a time, newest first; after a large import, each minute takes a share. */
const mostAtATime = 10_000

/**
 * Held meetings that now have a recap or a briefing, at most 10,000: each once, and if there is a briefing, not before
 * it is published, so that no unchecked text is mailed. Meetings that became ready earlier are excluded first, because
 * after a while that is all of them.
 */
const findReady = (db: Sql, now: DateTime.Utc) => db<{ meeting_id: string }>`
  with told as materialized (
    select meeting_id from recap r where not exists (select from recap_ready k where k.meeting_id = r.meeting_id)
    union
    select meeting_id from briefing b where not exists (select from recap_ready k where k.meeting_id = b.meeting_id)
  )
  insert into recap_ready (meeting_id, ready_at)
  select m.id, ${DateTime.formatIso(now)}
  from told join meeting m on m.id = told.meeting_id
  where m.status = 'held' and m.updated_at <= ${DateTime.formatIso(DateTime.subtract(now, settled))}
    and (not exists (select from briefing b where b.meeting_id = m.id)
      or exists (select from published_briefing b where b.meeting_id = m.id))
  order by m.date desc, m.id limit ${mostAtATime}
  on conflict do nothing returning meeting_id`

/** Owes a recap to every account that currently follows and wants recaps; later followers do not get past ones. */
const owe = (db: Sql, ready: ReadonlyArray<string>) => db`
  insert into recap_owed (account_id, meeting_id)
  select o.account_id, m.id from meeting m, email_pref o
  where m.id = any(${ready}::uuid[]) and o.recaps <> 'off' and ${follows(db)}
  on conflict do nothing`

interface Wish {
  readonly recaps: EmailPreferences["recaps"]
  readonly timezone: string
}

/** The moment up to which ready recaps are due; recaps owed to accounts that no longer want any are dropped. */
const dueUntil = (now: DateTime.Utc, { recaps, timezone }: Wish): DateTime.Utc =>
  recaps === "each" || recaps === "off" ? now : latestSlot(now, timezone, recaps)

/** Takes due recaps, and claims those to mail; of two concurrent attempts, one succeeds. */
const claim = Effect.fnUntraced(function* (db: Sql, now: DateTime.Utc) {
  const wishes = yield* db<Wish>`
    select distinct p.recaps, p.timezone from recap_owed o join email_pref p on p.account_id = o.account_id`
  const until = wishes.map((wish) => DateTime.formatIso(dueUntil(now, wish)))
  return yield* db<{ account_id: AccountId; meeting_id: MeetingId; recaps: DueRecap["recaps"] }>`
    with wish as (
      select * from unnest(${wishes.map(({ recaps }) => recaps)}::text[], ${wishes.map(({ timezone }) => timezone)}::text[],
        ${until}::timestamptz[]) wish (recaps, timezone, until)
    ),
    taken as (
      delete from recap_owed o using recap_ready r, email_pref p, wish w
      where r.meeting_id = o.meeting_id and p.account_id = o.account_id
        and w.recaps = p.recaps and w.timezone = p.timezone and r.ready_at <= w.until
      returning o.account_id, o.meeting_id, p.recaps
    ),
    claimed as (
      insert into mailed (account_id, kind, subject, meeting_id, mailed_at)
      select o.account_id, 'recap', m.id, m.id, ${DateTime.formatIso(now)}
      from taken o join meeting m on m.id = o.meeting_id
      where o.recaps <> 'off' and ${follows(db)}
      on conflict do nothing
      returning account_id, meeting_id
    )
    select account_id, meeting_id, t.recaps
    from claimed join taken t using (account_id, meeting_id) join meeting m on m.id = meeting_id
    order by account_id, m.date, m.starts_at nulls last, m.id`
})

/**
 * Makes the recap of one meeting ready immediately, in the caller's transaction: no part of it is still expected.
 * Returns whether it became ready; the next digest mails it.
 */
export const recapReady = Effect.fn("Mail.recapReady")(function* (db: Sql, meeting: MeetingId) {
  const ready = yield* db`
    insert into recap_ready (meeting_id, ready_at)
    select m.id, ${DateTime.formatIso(yield* DateTime.now)} from meeting m where m.id = ${meeting} and ${isTold(db)}
    on conflict do nothing returning meeting_id`
  if (ready.length > 0) yield* owe(db, [meeting])
  return ready.length > 0
})

/** Determines which recaps are due to whom and queues them, in one transaction, on one node at a time. */
export const mailOwedRecaps = Effect.fn("Mail.owedRecaps")(function* (db: Sql) {
  const now = yield* DateTime.now
  yield* db.withTransaction(
    Effect.gen(function* () {
      const [lock] = yield* db<{ held: boolean }>`select pg_try_advisory_xact_lock(${advisoryLocks.recaps}) as held`
      if (lock?.held !== true) return
      const ready = yield* findReady(db, now)
      if (ready.length > 0) {
        yield* owe(
          db,
          ready.map((row) => row.meeting_id)
        )
      }
      const due = yield* claim(db, now)
      yield* putOutgoing(
        db,
        recapMails(due.map((row) => ({ accountId: row.account_id, meetingId: row.meeting_id, recaps: row.recaps })))
      )
    })
  )
})

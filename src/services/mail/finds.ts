import { DateTime, Effect, Option, Schema } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { AccountId, MeetingId } from "../../../schema/primitives.ts"
import { BrowseQueryText } from "../../../schema/saved-search.ts"
import { defaultPrefs } from "../accounts/email-prefs.ts"
import { matterActions, newVotes, voteKey } from "../meetings/matter-actions.ts"
import { Browse } from "../search/browse.ts"
import { followedMatters, followedPeople } from "../search/query/canonical-query.ts"
import { putOutgoing } from "./outgoing.ts"
import { type Cadence, defaultZone, latestSlot } from "./slots.ts"

interface Wish {
  readonly cadence: Cadence
  readonly timezone: string
}

const read = Schema.decodeUnknownOption(BrowseQueryText)

/** Accounts with a search that has not run since the last slot of their chosen frequency. */
const dueAccounts = Effect.fnUntraced(function* (db: Sql, now: DateTime.Utc) {
  const wished = db`
    select s.account_id, s.seen_until, coalesce(p.saved_searches, ${defaultPrefs.saved_searches}) as cadence,
      coalesce(p.timezone, ${defaultZone}) as timezone
    from saved_search s left join email_pref p on p.account_id = s.account_id`
  const wishes = yield* db<Wish>`select distinct cadence, timezone from (${wished}) w where cadence <> 'off'`
  const slots = wishes.map(({ cadence, timezone }) => DateTime.formatIso(latestSlot(now, timezone, cadence)))
  return yield* db<{ account_id: AccountId; slot: Date }>`
    select w.account_id, max(c.slot) as slot
    from (${wished}) w
    join unnest(${wishes.map(({ cadence }) => cadence)}::text[], ${wishes.map(({ timezone }) => timezone)}::text[],
      ${slots}::timestamptz[]) c (cadence, timezone, slot) using (cadence, timezone)
    where w.seen_until < c.slot
    group by w.account_id order by w.account_id`
})

/**
 * Runs an account's searches, and queues one mail with what is new since they were saved or last ran: meetings,
 * actions on the matters that it follows, and votes of the people at meetings that were told before.
 */
const look = Effect.fn("Mail.look")(function* (db: Sql, account: AccountId, slot: Date, now: string) {
  const browse = yield* Browse
  // Searches that another node is running are left to it.
  const searches = yield* db<{
    id: string
    query: string
    seen: ReadonlyArray<MeetingId>
    seen_actions: ReadonlyArray<string> | null
    seen_until: Date
  }>`
    select id, query, seen, seen_actions, seen_until from saved_search
    where account_id = ${account} and seen_until < ${slot.toISOString()}
    order by created_at, id for update skip locked`
  const finds = yield* Effect.forEach(
    searches,
    Effect.fnUntraced(function* ({ id, query, seen, seen_actions, seen_until }) {
      const asked = read(query)
      const found = Option.isSome(asked)
        ? yield* browse.found(asked.value).pipe(
            // Saved before the record grew: it finds nothing, and must not keep others from running.
            Effect.catchTag("SearchOverBudget", (refused) =>
              Effect.as(Effect.logWarning(`The saved search ${id} costs more than its budget`, refused.excess), [])
            )
          )
        : []
      const known = new Set(seen)
      const later = found.filter((meeting) => !known.has(meeting))
      const actions = Option.isSome(asked) ? yield* matterActions(db, followedMatters(asked.value)) : []
      const keys = actions.map(({ key }) => key)
      // One that was saved before actions were told begins with those that are on record.
      const told = new Set(seen_actions ?? keys)
      const people = Option.isSome(asked) ? followedPeople(asked.value) : []
      const votes = people.length === 0 ? [] : yield* newVotes(db, people, seen_until.toISOString())
      // Of votes, only those are kept that the next run looks at again.
      const seenNow = [...[...told].filter((key) => !key.startsWith(voteKey)), ...keys, ...votes.map(({ key }) => key)]
      yield* db`
        update saved_search set seen_until = ${now}, seen_actions = ${[...new Set(seenNow)]}::text[]
        where id = ${id}`
      const claimed = yield* db<{ meeting_id: MeetingId }>`
        insert into mailed (account_id, kind, subject, meeting_id, mailed_at)
        select ${account}, 'saved_search', ${id}, meeting_id, ${now} from unnest(${later}::uuid[]) meeting_id
        on conflict do nothing returning meeting_id`
      const news = new Set(claimed.map((row) => row.meeting_id))
      return {
        search: id,
        meetings: later.filter((meeting) => news.has(meeting)),
        actions: [
          ...keys.filter((key) => !told.has(key)),
          // A new meeting is told with its votes.
          ...votes.flatMap(({ key, meeting_id }) => (told.has(key) || news.has(meeting_id) ? [] : [key]))
        ]
      }
    })
  )
  const news = finds.filter(({ meetings, actions }) => meetings.length + actions.length > 0)
  if (news.length === 0) return
  yield* putOutgoing(db, [{ accountId: account, content: { list: "saved_searches", finds: news } }])
})

/** Runs every due search, an account at a time; a failed one runs again a minute later. */
export const mailFinds = Effect.fn("Mail.finds")(function* (db: Sql) {
  const now = yield* DateTime.now
  for (const { account_id, slot } of yield* dueAccounts(db, now)) {
    yield* db
      .withTransaction(look(db, account_id, slot, DateTime.formatIso(now)))
      .pipe(Effect.catchCause((cause) => Effect.logWarning("An account's searches could not be looked with", cause)))
  }
})

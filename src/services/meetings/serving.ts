import { Effect } from "effect"
import { advisoryLocks } from "../../../layers/db/advisory-locks.ts"
import type { ReadSql, Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { type Serving, servedBriefing, type Verdicts, type WrittenBriefing } from "../../text/served-briefing.ts"

const setting = "pipeline.ClaimCheck"

/** The value of the setting `pipeline.ClaimCheck` until an operator sets it. */
export const claimCheckInitially = true

/** The setting `pipeline.ClaimCheck`: whether a briefing waits for its claims to be checked before it is served. */
export const isClaimChecked = (db: ReadSql) =>
  db`coalesce((select value <> 'false' from setting where name = ${setting}), ${claimCheckInitially})`

/** The value of the setting `pipeline.TrustImportedVerdicts` until an operator sets it. */
export const importedVerdictsTrustedInitially = false

/** The setting `pipeline.TrustImportedVerdicts`: whether verdicts that were imported count as a check made here. */
const isImportTrusted = (db: ReadSql) =>
  db`coalesce((select value = 'true' from setting where name = 'pipeline.TrustImportedVerdicts'),
    ${importedVerdictsTrustedInitially})`

const uncheckedSetting = "pipeline.ServeUnchecked"

/** The value of the setting `pipeline.ServeUnchecked` until an operator sets it. */
export const uncheckedServedInitially = false

/** The setting `pipeline.ServeUnchecked`: whether sentences that nobody could check are served. */
export const isUncheckedServed = (db: ReadSql) =>
  db`coalesce((select value = 'true' from setting where name = ${uncheckedSetting}), ${uncheckedServedInitially})`

/** The settings on which it depends what is served of a briefing. */
export const servingSettings: ReadonlyArray<string> = [setting, uncheckedSetting]

/** How a briefing `f` was checked (contract section 4): verdicts that were imported are not a check made here. */
export const verificationOf = (db: ReadSql) => db`
  case when not ${isClaimChecked(db)} then 'disabled'
    when ${isUncheckedServed(db)} and exists (
      select from claim c where c.meeting_id = f.meeting_id and c.verdict = 'unchecked') then 'unchecked'
    when exists (select from claim c join claims on claims.meeting_id = c.meeting_id
      where c.meeting_id = f.meeting_id and (claims.checked_by is not null or ${isImportTrusted(db)})) then 'verified'
    else 'unchecked' end`

/**
 * Holds the settings of what is served until the transaction ends. A transaction that writes briefings or claims
 * calls this before it locks any of their rows; otherwise a change of a setting could miss its writes, or deadlock
 * with it.
 */
export const holdClaimCheck = (db: Sql) =>
  db`
    select pg_advisory_xact_lock_shared(${advisoryLocks.setting}, hashtext(name))
    from unnest(${servingSettings}::text[]) name`

/** Recomputes the served briefings of these meetings, in the transaction that changes an input of theirs. */
export const serveBriefings = Effect.fn("Briefings.serve")(function* (db: Sql, meetings: ReadonlyArray<MeetingId>) {
  if (meetings.length === 0) return
  const rows = yield* db<{
    readonly meeting_id: MeetingId
    readonly written: WrittenBriefing
    readonly verdicts: Verdicts
    readonly isChecked: boolean
    readonly servesUnchecked: boolean
  }>`
    select b.meeting_id, b.written, ${isClaimChecked(db)} as "isChecked",
      ${isUncheckedServed(db)} as "servesUnchecked", coalesce(
      (select json_object_agg(c.id, c.verdict) from claim c where c.meeting_id = b.meeting_id), '{}') as verdicts
    from briefing b where b.meeting_id = any(${meetings}::uuid[])`
  const served = rows.map(({ meeting_id, written, verdicts, ...serving }) => {
    const formOf = (one: Serving) => JSON.stringify(servedBriefing(written, verdicts, one))
    const forms = [true, false].flatMap((isChecked) =>
      [true, false].map((servesUnchecked) => formOf({ isChecked, servesUnchecked }))
    )
    return { meeting_id, served: formOf(serving) ?? null, follows_setting: new Set(forms).size > 1 }
  })
  yield* db`
    update briefing b set served = s.served::jsonb, follows_setting = s.follows_setting
    from json_to_recordset(${JSON.stringify(served)}::json) s (meeting_id uuid, served text, follows_setting boolean)
    where b.meeting_id = s.meeting_id
      and (b.served, b.follows_setting) is distinct from (s.served::jsonb, s.follows_setting)`
})

/** Meetings per statement. */
const pageSize = 500

/**
 * Recomputes every served briefing that depends on a setting, in the transaction that sets it. Returns their
 * meetings.
 */
export const serveSwitched = Effect.fn("Briefings.serveSwitched")(function* (db: Sql) {
  // Meetings are locked before their briefings, in the lock order of a meeting's removal.
  const rows = yield* db<{ meeting_id: MeetingId }>`
    select b.meeting_id from briefing b join meeting m on m.id = b.meeting_id
    where b.follows_setting order by b.meeting_id for key share of m`
  const meetings = rows.map(({ meeting_id }) => meeting_id)
  for (let at = 0; at < meetings.length; at += pageSize) {
    yield* serveBriefings(db, meetings.slice(at, at + pageSize))
  }
  return meetings
})

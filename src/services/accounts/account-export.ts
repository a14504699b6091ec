import { Context, DateTime, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AccountExportDocument } from "../../../schema/account-export.ts"
import { type AccountId, type MeetingId, roundSeconds, type UserClipId } from "../../../schema/primitives.ts"
import { given } from "../wire.ts"
import type { SignInRequired } from "./access.ts"
import { Accounts } from "./accounts.ts"
import { EmailPrefs } from "./email-prefs.ts"
import { Follows } from "./follows.ts"
import { reportsOf } from "./mistake-reports.ts"

const iso = (instant: Date): string => instant.toISOString()

/** Everything stored about an account, for its owner (spec 4.8); no token, no hash, no subject. */
export class AccountExport extends Context.Service<
  AccountExport,
  { readonly of: (accountId: AccountId) => Effect.Effect<AccountExportDocument, SignInRequired> }
>()("civic-record/AccountExport") {
  static readonly layer = Layer.effect(
    AccountExport,
    Effect.gen(function* () {
      const db = yield* Db
      const accounts = yield* Accounts
      const follows = yield* Follows
      const emailPrefs = yield* EmailPrefs

      const waysIn = Effect.fnUntraced(function* (id: AccountId) {
        const identities = yield* db<{ issuer: string; created_at: Date }>`
          select issuer, created_at from identity where account_id = ${id} order by created_at, issuer`
        const sessions = yield* db<{ created_at: Date; expires_at: Date; browser: string | null }>`
          select created_at, expires_at, browser from session where account_id = ${id} order by created_at, expires_at`
        const tokens = yield* db<TokenRow>`
          select name, created_at, last_used_at, revoked_at from reader_token
          where account_id = ${id} order by created_at, id`
        const [change] = yield* db<{ email: string; expires_at: Date }>`
          select email, expires_at from email_change where account_id = ${id}`
        const [visit] = yield* db<{ seen_at: Date; new_since: Date | null }>`
          select seen_at, new_since from account_visit where account_id = ${id}`
        return {
          ...given(
            "visit",
            visit && { seen_at: iso(visit.seen_at), ...given("new_since", visit.new_since?.toISOString()) }
          ),
          identities: identities.map(({ issuer, created_at }) => ({ issuer, created_at: iso(created_at) })),
          sessions: sessions.map(({ created_at, expires_at, browser }) => ({
            created_at: iso(created_at),
            expires_at: iso(expires_at),
            ...given("browser", browser)
          })),
          reader_tokens: tokens.map(({ name, created_at, last_used_at, revoked_at }) => ({
            name,
            created_at: iso(created_at),
            ...given("last_used_at", last_used_at?.toISOString()),
            ...given("revoked_at", revoked_at?.toISOString())
          })),
          ...given("email_change", change && { email: change.email, expires_at: iso(change.expires_at) })
        }
      })

      const mail = Effect.fnUntraced(function* (id: AccountId) {
        const searches = yield* db<{ name: string; query: string; created_at: Date }>`
          select name, query, created_at from saved_search where account_id = ${id} order by created_at, id`
        const mails = yield* db<{ kind: "recap" | "saved_search"; meeting_id: MeetingId; mailed_at: Date }>`
          select kind, meeting_id, mailed_at from mailed where account_id = ${id} order by mailed_at, meeting_id, subject`
        const [calendar] = yield* db<{ created_at: Date }>`
          select created_at from calendar_address where account_id = ${id}`
        return {
          email_prefs: yield* emailPrefs.get(id),
          ...given("calendar_address", calendar && { created_at: iso(calendar.created_at) }),
          saved_searches: searches.map((row) => ({ ...row, created_at: iso(row.created_at) })),
          mails: mails.map((row) => ({ ...row, mailed_at: iso(row.mailed_at) }))
        }
      })

      const shared = Effect.fnUntraced(function* (id: AccountId) {
        const clips = yield* db<ClipRow>`
          select id, slug, meeting_id, title, start::float8, "end"::float8, state, created_at, shares, visits
          from user_clip where account_id = ${id} order by created_at, id`
        const grants = yield* db<GrantRow>`
          select meeting_id, created_at, expires_at, redeemed_at from share_grant
          where account_id = ${id} order by created_at, id`
        const shares = yield* db<{
          meeting_id: MeetingId
          channel: "link" | "email" | "sms" | "native"
          created_at: Date
        }>`
          select meeting_id, channel, created_at from recorded_share where account_id = ${id} order by id`
        return {
          user_clips: clips.map(({ title, ...row }) => ({
            ...row,
            ...given("title", title),
            start: roundSeconds(row.start),
            end: roundSeconds(row.end),
            created_at: iso(row.created_at)
          })),
          share_grants: grants.map(({ meeting_id, created_at, expires_at, redeemed_at }) => ({
            meeting_id,
            created_at: iso(created_at),
            expires_at: iso(expires_at),
            ...given("redeemed_at", redeemed_at?.toISOString())
          })),
          recorded_shares: shares.map((row) => ({ ...row, created_at: iso(row.created_at) })),
          mistake_reports: yield* reportsOf(db, id)
        }
      })

      const of = Effect.fn("AccountExport.of")(function* (id: AccountId) {
        const account = yield* accounts.get(id)
        return {
          format: "civic-record/account-export",
          version: 1,
          exported_at: DateTime.formatIso(yield* DateTime.now),
          account,
          ...(yield* waysIn(id)),
          follows: yield* follows.get(id),
          ...(yield* mail(id)),
          ...(yield* shared(id))
        } satisfies AccountExportDocument
      }, dbDies)

      return { of }
    })
  )
}

interface TokenRow {
  readonly name: string
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

interface ClipRow {
  readonly id: UserClipId
  readonly slug: string
  readonly meeting_id: MeetingId
  readonly title: string | null
  readonly start: number
  readonly end: number
  readonly state: "rendering" | "ready" | "failed"
  readonly created_at: Date
  readonly shares: number
  readonly visits: number
}

interface GrantRow {
  readonly meeting_id: MeetingId
  readonly created_at: Date
  readonly expires_at: Date
  readonly redeemed_at: Date | null
}

import { Schema } from "effect"
import { Account, AccountFollows, EmailPreferences } from "./account.ts"
import { MistakeReport } from "./mistake-report.ts"
import { Count, Instant, MeetingId, Seconds, UserClipId } from "./primitives.ts"
import { RecordShareRequest } from "./sharing.ts"

/** Everything that is stored about one account, as its owner gets it (docs/account-export.md). */
export const AccountExportDocument = Schema.Struct({
  format: Schema.Literal("civic-record/account-export"),
  version: Schema.Literal(1),
  exported_at: Instant,
  account: Account,
  identities: Schema.Array(Schema.Struct({ issuer: Schema.String, created_at: Instant })),
  sessions: Schema.Array(
    Schema.Struct({ created_at: Instant, expires_at: Instant, browser: Schema.optionalKey(Schema.String) })
  ),
  email_change: Schema.optionalKey(Schema.Struct({ email: Schema.String, expires_at: Instant })),
  visit: Schema.optionalKey(Schema.Struct({ seen_at: Instant, new_since: Schema.optionalKey(Instant) })),
  follows: AccountFollows,
  email_prefs: EmailPreferences,
  calendar_address: Schema.optionalKey(Schema.Struct({ created_at: Instant })),
  reader_tokens: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      created_at: Instant,
      last_used_at: Schema.optionalKey(Instant),
      revoked_at: Schema.optionalKey(Instant)
    })
  ),
  saved_searches: Schema.Array(Schema.Struct({ name: Schema.String, query: Schema.String, created_at: Instant })),
  mails: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["recap", "saved_search"]),
      meeting_id: MeetingId,
      mailed_at: Instant
    })
  ),
  user_clips: Schema.Array(
    Schema.Struct({
      id: UserClipId,
      slug: Schema.String,
      meeting_id: MeetingId,
      title: Schema.optionalKey(Schema.String),
      start: Seconds,
      end: Seconds,
      state: Schema.Literals(["rendering", "ready", "failed"]),
      created_at: Instant,
      shares: Count,
      visits: Count
    })
  ),
  share_grants: Schema.Array(
    Schema.Struct({
      meeting_id: MeetingId,
      created_at: Instant,
      expires_at: Instant,
      redeemed_at: Schema.optionalKey(Instant)
    })
  ),
  recorded_shares: Schema.Array(
    Schema.Struct({ meeting_id: MeetingId, channel: RecordShareRequest.fields.channel, created_at: Instant })
  ),
  mistake_reports: Schema.Array(MistakeReport)
}).annotate({ identifier: "AccountExport", description: "Everything that is stored about one account." })
export interface AccountExportDocument extends Schema.Schema.Type<typeof AccountExportDocument> {}

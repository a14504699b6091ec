import { randomUUID } from "node:crypto"
import { Context, Data, DateTime, Duration, Effect, Layer, Option } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { RatePolicy } from "../../../layers/rate-limits.ts"
import { Signer } from "../../../layers/signer/signer.ts"
import { type AccountId, MeetingId } from "../../../schema/primitives.ts"
import type { RecordShareRequest, ShareGrant } from "../../../schema/sharing.ts"
import type { NotFound, Removed } from "../failures.ts"
import { cardsOf } from "../meetings/cards.ts"
import { Meetings } from "../meetings/meetings.ts"
import { ShareGrantInvalid } from "./access.ts"
import { Allowances, type TooOften } from "./allowance.ts"
import { newToken, tokenHash } from "./sessions.ts"

/** How long a grant opens its meeting (spec section 8). */
const grantLife = Duration.days(14)

/** More meetings than anyone shares in a day; each is a row. */
const policies = {
  grants: { name: "share-grants", limit: 100, windowSeconds: 86_400 },
  recorded: { name: "recorded-shares", limit: 300, windowSeconds: 86_400 }
} as const satisfies Record<string, RatePolicy>

/** A valid token that was already exchanged for its cookie. */
export class ShareAlreadyRedeemed extends Data.TaggedError("ShareAlreadyRedeemed") {}

/**
 * The result of redeeming: the meeting, the expiry, and the token of the cookie `cr_share`, which is stored nowhere.
 */
interface Redeemed {
  readonly meetingId: MeetingId
  readonly expiresAt: DateTime.Utc
  readonly cookie: string
}

/** Grants to read one meeting (spec 4.6, contract section 6). */
export class Shares extends Context.Service<
  Shares,
  {
    readonly mint: (ref: string, reader: AccountId) => Effect.Effect<ShareGrant, NotFound | Removed | TooOften>
    readonly record: (
      share: RecordShareRequest,
      reader: AccountId
    ) => Effect.Effect<void, NotFound | Removed | TooOften>
    /** The meeting that a token `st` opens: until it expires or is redeemed. */
    readonly ofToken: (token: string) => Effect.Effect<Option.Option<MeetingId>>
    /** The meeting that the cookie `cr_share` opens, until its grant expires. */
    readonly ofCookie: (cookie: string) => Effect.Effect<Option.Option<MeetingId>>
    /** Exchanges a token for a cookie; of two concurrent attempts, one wins. */
    readonly redeem: (token: string) => Effect.Effect<Redeemed, ShareGrantInvalid | ShareAlreadyRedeemed>
  }
>()("civic-record/Shares") {
  static readonly layer = Layer.effect(
    Shares,
    Effect.gen(function* () {
      const db = yield* Db
      const signer = yield* Signer
      const meetings = yield* Meetings
      const allowances = yield* Allowances
      const { baseUrl } = yield* Environment

      const mint = Effect.fn("Shares.mint")(function* (ref: string, reader: AccountId) {
        const meetingId = yield* meetings.resolve(ref)
        yield* allowances.spend([policies.grants, reader])
        const now = yield* DateTime.now
        const expiresAt = DateTime.addDuration(now, grantLife)
        const grantId = randomUUID()
        const token = yield* signer.signGrant({ grantId, meetingId, expiresAt })
        // Expired grants open nothing.
        yield* db`delete from share_grant where expires_at <= ${DateTime.formatIso(now)}`
        yield* db`
          insert into share_grant (id, meeting_id, account_id, token_hash, created_at, expires_at)
          values (${grantId}, ${meetingId}, ${reader}, ${tokenHash(token)}, ${DateTime.formatIso(now)},
            ${DateTime.formatIso(expiresAt)})`
        const [card] = yield* cardsOf(db, [meetingId], baseUrl)
        const url = new URL(card?.path ?? "/", baseUrl)
        url.searchParams.set("st", token)
        return { token, url: url.href, meeting_id: meetingId, expires_at: DateTime.formatIso(expiresAt) }
      }, dbDies)

      const record = Effect.fn("Shares.record")(function* (share: RecordShareRequest, reader: AccountId) {
        const meetingId = yield* meetings.resolve(share.meeting_id)
        yield* allowances.spend([policies.recorded, reader])
        const now = DateTime.formatIso(yield* DateTime.now)
        yield* db`
          insert into recorded_share (account_id, meeting_id, channel, created_at)
          values (${reader}, ${meetingId}, ${share.channel}, ${now})`
      }, dbDies)

      const opened = (rows: ReadonlyArray<{ readonly meeting_id: string }>) =>
        Option.map(Option.fromUndefinedOr(rows[0]), (row) => MeetingId.make(row.meeting_id))

      const ofToken = Effect.fn("Shares.ofToken")(function* (token: string) {
        const signed = yield* Effect.option(signer.verifyGrant(token))
        if (Option.isNone(signed)) return Option.none()
        const now = DateTime.formatIso(yield* DateTime.now)
        const rows = yield* db<{ meeting_id: string }>`
          select meeting_id from share_grant
          where token_hash = ${tokenHash(token)} and redeemed_at is null and expires_at > ${now}`
        return opened(rows)
      }, dbDies)

      const ofCookie = Effect.fn("Shares.ofCookie")(function* (cookie: string) {
        const now = DateTime.formatIso(yield* DateTime.now)
        const rows = yield* db<{ meeting_id: string }>`
          select meeting_id from share_grant where cookie_hash = ${tokenHash(cookie)} and expires_at > ${now}`
        return opened(rows)
      }, dbDies)

      const redeem = Effect.fn("Shares.redeem")(function* (token: string) {
        yield* Effect.mapError(signer.verifyGrant(token), () => new ShareGrantInvalid())
        const now = DateTime.formatIso(yield* DateTime.now)
        const cookie = newToken()
        const hash = tokenHash(token)
        const won = yield* db<{ meeting_id: string; expires_at: Date }>`
          update share_grant set redeemed_at = ${now}, cookie_hash = ${tokenHash(cookie)}
          where token_hash = ${hash} and redeemed_at is null and expires_at > ${now}
          returning meeting_id, expires_at`
        const [grant] = won
        if (grant !== undefined) {
          return {
            meetingId: MeetingId.make(grant.meeting_id),
            expiresAt: DateTime.fromDateUnsafe(grant.expires_at),
            cookie
          }
        }
        const live = yield* db`select from share_grant where token_hash = ${hash} and expires_at > ${now}`
        return yield* live.length > 0 ? new ShareAlreadyRedeemed() : new ShareGrantInvalid()
      }, dbDies)

      return { mint, record, ofToken, ofCookie, redeem }
    })
  ).pipe(Layer.provide(Meetings.fromPrimary))
}

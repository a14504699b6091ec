import { createHash, randomBytes } from "node:crypto"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { AccountId } from "../../../schema/primitives.ts"

/** How long a session lives from its last use (contract section 5). */
export const sessionLife = Duration.days(30)

/** A session is renewed at most this often, so that reading does not write on every request. */
const rollEvery = Duration.hours(12)

/** 256 random bits, base64url: 43 characters. */
export const newToken = (): string => randomBytes(32).toString("base64url")

/** The stored form of a token: its SHA-256. A token has 256 random bits, so the hash needs no salt. */
export const tokenHash = (token: string): Uint8Array => createHash("sha256").update(token).digest()

/** Sessions behind the cookie `cr_session`. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** Begins a session and returns its token, which is stored nowhere. */
    readonly begin: (accountId: AccountId) => Effect.Effect<string>
    /** The account of a live session. Using it renews its 30 days; `renewedUntil` says until when, for its cookie. */
    readonly reader: (
      token: string
    ) => Effect.Effect<
      Option.Option<{ readonly accountId: AccountId; readonly renewedUntil: Option.Option<DateTime.Utc> }>
    >
    readonly end: (token: string) => Effect.Effect<void>
  }
>()("civic-record/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const db = yield* Db

      const expiry = (now: DateTime.Utc) => DateTime.addDuration(now, sessionLife)

      const begin = Effect.fn("Sessions.begin")(function* (accountId: AccountId) {
        const token = newToken()
        const now = yield* DateTime.now
        yield* db`
          insert into session (token_hash, account_id, created_at, expires_at)
          values (${tokenHash(token)}, ${accountId}, ${DateTime.formatIso(now)}, ${DateTime.formatIso(expiry(now))})`
        return token
      }, dbDies)

      const reader = Effect.fn("Sessions.reader")(function* (token: string) {
        const now = yield* DateTime.now
        const hash = tokenHash(token)
        const [row] = yield* db<{ account_id: string; expires_at: Date }>`
          select account_id, expires_at from session where token_hash = ${hash} and expires_at > ${DateTime.formatIso(now)}`
        if (row === undefined) return Option.none()
        const left = row.expires_at.getTime() - DateTime.toEpochMillis(now)
        const accountId = AccountId.make(row.account_id)
        if (left >= Duration.toMillis(sessionLife) - Duration.toMillis(rollEvery)) {
          return Option.some({ accountId, renewedUntil: Option.none() })
        }
        yield* db`update session set expires_at = ${DateTime.formatIso(expiry(now))} where token_hash = ${hash}`
        return Option.some({ accountId, renewedUntil: Option.some(expiry(now)) })
      }, dbDies)

      const end = Effect.fn("Sessions.end")(function* (token: string) {
        yield* db`delete from session where token_hash = ${tokenHash(token)}`
      }, dbDies)

      return { begin, reader, end }
    })
  )
}

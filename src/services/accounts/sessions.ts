import { createHash, randomBytes } from "node:crypto"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AccountSession } from "../../../schema/account.ts"
import { AccountId } from "../../../schema/primitives.ts"
import { type NotFound, sessionNotFound } from "../failures.ts"
import { idOf } from "../meetings/sql.ts"
import { given } from "../wire.ts"

/** How long a session lives from its last use (contract section 5). */
export const sessionLife = Duration.days(30)

/** A session is renewed at most this often, so that reading does not write on every request. */
const rollEvery = Duration.hours(12)

/** 256 random bits, base64url: 43 characters. */
export const newToken = (): string => randomBytes(32).toString("base64url")

/** The stored form of a token: its SHA-256. A token has 256 random bits, so the hash needs no salt. */
export const tokenHash = (token: string): Uint8Array => createHash("sha256").update(token).digest()

interface SessionRow {
  readonly id: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly browser: string | null
  readonly current: boolean
}

/** Sessions behind the cookie `cr_session`. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** Begins a session and returns its token, which is stored nowhere. `browser` is a family: Firefox on Linux. */
    readonly begin: (accountId: AccountId, browser?: string) => Effect.Effect<string>
    /** The account of a live session. Using it renews its 30 days; `renewedUntil` says until when, for its cookie. */
    readonly reader: (
      token: string
    ) => Effect.Effect<
      Option.Option<{ readonly accountId: AccountId; readonly renewedUntil: Option.Option<DateTime.Utc> }>
    >
    readonly end: (token: string) => Effect.Effect<void>
    /** The live sessions of an account, the last one seen first; `token` is that of the one who asks. */
    readonly list: (accountId: AccountId, token: string) => Effect.Effect<ReadonlyArray<AccountSession>>
    /** Ends one of an account by its id. From the next request on, its browser is signed out. */
    readonly endOne: (accountId: AccountId, id: string) => Effect.Effect<void, NotFound>
  }
>()("civic-record/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const db = yield* Db

      const expiry = (now: DateTime.Utc) => DateTime.addDuration(now, sessionLife)

      const begin = Effect.fn("Sessions.begin")(function* (accountId: AccountId, browser?: string) {
        const token = newToken()
        const now = yield* DateTime.now
        yield* db`
          insert into session (token_hash, account_id, created_at, expires_at, browser)
          values (${tokenHash(token)}, ${accountId}, ${DateTime.formatIso(now)}, ${DateTime.formatIso(expiry(now))},
            ${browser ?? null})`
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

      const list = Effect.fn("Sessions.list")(function* (accountId: AccountId, token: string) {
        const now = yield* DateTime.now
        const rows = yield* db<SessionRow>`
          select id, created_at, expires_at, browser, token_hash = ${tokenHash(token)}::bytea as current from session
          where account_id = ${accountId} and expires_at > ${DateTime.formatIso(now)}
          order by expires_at desc, created_at desc, id`
        return rows.map(({ id, created_at, expires_at, browser, current }) => ({
          id,
          created_at: created_at.toISOString(),
          last_seen_at: new Date(expires_at.getTime() - Duration.toMillis(sessionLife)).toISOString(),
          ...given("browser", browser),
          current
        }))
      }, dbDies)

      const endOne = Effect.fn("Sessions.endOne")(function* (accountId: AccountId, id: string) {
        const ended = yield* db`delete from session where account_id = ${accountId} and id = ${idOf(id)} returning id`
        if (ended.length === 0) return yield* sessionNotFound(id)
      }, dbDies)

      return { begin, reader, end, list, endOne }
    })
  )
}

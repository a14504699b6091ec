import { Context, Data, DateTime, Duration, Effect, Layer, Redacted } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { LocalPasswords } from "../../../layers/identity/local-identity.ts"
import type { RatePolicy } from "../../../layers/rate-limits.ts"
import { type Email, emailKey } from "../../../schema/email.ts"
import type { AccountId } from "../../../schema/primitives.ts"
import { Allowances, type TooOften } from "./allowance.ts"
import { hashPassword, isPassword } from "./password-hash.ts"
import { type PasswordTooWeak, requireStrong } from "./password-strength.ts"
import { tokenHash } from "./sessions.ts"

/** The current password is required, and the one sent is wrong. */
export class PasswordIncorrect extends Data.TaggedError("PasswordIncorrect") {}

/** The sign-in is too long ago for this change, and no password was sent in its place. */
export class RecentSignInRequired extends Data.TaggedError("RecentSignInRequired") {}

/** How long a sign-in proves that its session is in its owner's hands. */
export const recentSignIn = Duration.minutes(10)

/** Somebody who holds a session for a while must not be able to guess the password behind it. */
const guesses: RatePolicy = { name: "password-change", limit: 20, windowSeconds: 900 }

/** The password of an account, its second way in. */
export class Passwords extends Context.Service<
  Passwords,
  {
    /**
     * Sets the password, and ends every other session of the account. The first one needs a sign-in in the last ten
     * minutes, because it proves ownership from then on; another needs the current one.
     */
    readonly set: (
      accountId: AccountId,
      sent: { readonly password: Redacted.Redacted; readonly current?: Redacted.Redacted },
      session: string
    ) => Effect.Effect<void, PasswordTooWeak | PasswordIncorrect | RecentSignInRequired | TooOften>
    /**
     * Admits a session that began with a sign-in in the last ten minutes, or a caller who sends the account's password.
     * Required for changes that would take the account from its owner, for which a session left open somewhere is not
     * enough.
     */
    readonly requireOwner: (
      accountId: AccountId,
      proof: { readonly session: string; readonly current?: Redacted.Redacted }
    ) => Effect.Effect<void, RecentSignInRequired | PasswordIncorrect | TooOften>
  }
>()("civic-record/Passwords") {
  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function* () {
      const db = yield* Db
      const allowances = yield* Allowances

      /** Whether a session of the account began with a sign-in in the last ten minutes. */
      const isRecent = Effect.fnUntraced(function* (accountId: AccountId, session: string) {
        const since = DateTime.formatIso(DateTime.subtractDuration(yield* DateTime.now, recentSignIn))
        const recent = yield* db`
          select from session
          where account_id = ${accountId} and token_hash = ${tokenHash(session)} and created_at > ${since}`
        return recent.length > 0
      })

      const set = Effect.fn("Passwords.set")(function* (
        accountId: AccountId,
        { password, current }: { readonly password: Redacted.Redacted; readonly current?: Redacted.Redacted },
        session: string
      ) {
        yield* allowances.spend([guesses, accountId])
        const [account] = yield* db<{ email: string; name: string | null; password_hash: string | null }>`
          select email, name, password_hash from account where id = ${accountId}`
        const kept = account?.password_hash ?? undefined
        if (kept === undefined) {
          if (!(yield* isRecent(accountId, session))) return yield* new RecentSignInRequired()
        } else if (!(yield* isPassword(kept, current ?? Redacted.make("")))) {
          return yield* new PasswordIncorrect()
        }
        yield* requireStrong(password, [account?.email ?? "", account?.name ?? ""])
        const hash = yield* hashPassword(password)
        yield* db.withTransaction(
          Effect.gen(function* () {
            // Of two concurrent changes, the second was made against a password that no longer exists.
            const changed = yield* db`
              update account set password_hash = ${hash}
              where id = ${accountId} and password_hash is not distinct from ${kept ?? null} returning id`
            if (changed.length === 0) return yield* new PasswordIncorrect()
            yield* db`delete from session where account_id = ${accountId} and token_hash <> ${tokenHash(session)}`
          })
        )
      }, dbDies)

      const requireOwner = Effect.fn("Passwords.requireOwner")(function* (
        accountId: AccountId,
        { session, current }: { readonly session: string; readonly current?: Redacted.Redacted }
      ) {
        if (yield* isRecent(accountId, session)) return
        const [account] = yield* db<{ password_hash: string | null }>`
          select password_hash from account where id = ${accountId}`
        const kept = account?.password_hash ?? undefined
        if (kept === undefined || current === undefined) return yield* new RecentSignInRequired()
        yield* allowances.spend([guesses, accountId])
        if (!(yield* isPassword(kept, current))) return yield* new PasswordIncorrect()
      }, dbDies)

      return { set, requireOwner }
    })
  )
}

/** Tells the local provider whether a password is right; an address without an account takes as long as one with. */
export const LocalPasswordsLive = Layer.effect(
  LocalPasswords,
  Effect.map(Db, (db) => ({
    passwordOf: Effect.fn("LocalPasswords.passwordOf")(function* (email: Email, password: Redacted.Redacted) {
      const [account] = yield* db<{ password_hash: string | null }>`
        select password_hash from account where email_key = ${emailKey(email)}`
      return yield* isPassword(account?.password_hash ?? undefined, password)
    }, dbDies)
  }))
)

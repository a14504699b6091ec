import { createHash, randomInt, timingSafeEqual } from "node:crypto"
import { Context, Data, DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlError } from "effect/sql"
import { Environment } from "../../../layers/config/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { Mailer, type MailRefused } from "../../../layers/mailer.ts"
import type { RatePolicy } from "../../../layers/rate-limits.ts"
import { type Email, emailKey } from "../../../schema/email.ts"
import type { AccountId } from "../../../schema/primitives.ts"
import { Allowances, mailboxKey, type TooOften } from "./allowance.ts"
import { changedMail, newAddressMail } from "./email-change-mails.ts"
import { argon2id } from "./password-hash.ts"

/** Why a change of address was not confirmed. */
export class EmailChangeRefused extends Data.TaggedError("EmailChangeRefused")<{
  readonly reason: "code_incorrect" | "code_expired" | "email_in_use"
}> {}

/** How long a code is valid (contract section 5). */
const codeLife = Duration.minutes(10)
/** How many attempts a code allows; after that not even the right one is accepted. */
const triesOfCode = 5

/**
 * Guessing six digits takes 200,000 codes on average. Five attempts at each of this many codes per day and mailbox
 * leave a chance of 1 in 10,000 a day, whoever asks and from wherever.
 */
const policies = {
  account: { name: "email-change-account", limit: 5, windowSeconds: 900 },
  mailbox: { name: "email-change-mailbox", limit: 5, windowSeconds: 900 },
  mailboxADay: { name: "email-change-mailbox-day", limit: 20, windowSeconds: 86_400 },
  address: { name: "email-change-address", limit: 20, windowSeconds: 900 },
  tries: { name: "email-change-tries", limit: 15, windowSeconds: 900 }
} as const satisfies Record<string, RatePolicy>

/**
 * Changes the address of an account: a code sent to the new address proves that it is theirs. Only the reader of that
 * mailbox learns whether another account already has the address.
 */
export class EmailChanges extends Context.Service<
  EmailChanges,
  {
    /** Mails a code to the new address and ends the one before it. `address` is the requesting network. */
    readonly start: (accountId: AccountId, email: Email, address: string) => Effect.Effect<void, TooOften | MailRefused>
    /** The address that a code was mailed to, while that code is valid. */
    readonly waiting: (accountId: AccountId) => Effect.Effect<Option.Option<string>>
    /** Gives the account the address that the code was sent to, and notifies the old one. */
    readonly confirm: (
      accountId: AccountId,
      sent: { readonly email: Email; readonly code: string }
    ) => Effect.Effect<void, EmailChangeRefused | TooOften>
  }
>()("civic-record/EmailChanges") {
  static readonly layer = Layer.effect(
    EmailChanges,
    Effect.gen(function* () {
      const db = yield* Db
      const mailer = yield* Mailer
      const allowances = yield* Allowances
      const { baseUrl } = yield* Environment

      const start = Effect.fn("EmailChanges.start")(function* (accountId: AccountId, email: Email, address: string) {
        const mailbox = mailboxKey(email)
        yield* allowances.spend(
          [policies.account, accountId],
          [policies.address, address],
          [policies.mailbox, mailbox],
          [policies.mailboxADay, mailbox]
        )
        const code = String(randomInt(1_000_000)).padStart(6, "0")
        const hash = yield* hashOf(accountId, code)
        const expires = DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, codeLife))
        yield* db`
          insert into email_change (account_id, email, email_key, code_hash, tries, expires_at)
          values (${accountId}, ${email}, ${emailKey(email)}, ${hash}, 0, ${expires})
          on conflict (account_id) do update
          set email = excluded.email, email_key = excluded.email_key, code_hash = excluded.code_hash, tries = 0,
            expires_at = excluded.expires_at`
        yield* mailer
          .send(newAddressMail(email, code, baseUrl))
          .pipe(
            Effect.tapError(({ reason, message }) =>
              reason === "recipient" ? Effect.void : Effect.logWarning(message)
            )
          )
      }, dbDies)

      const waiting = Effect.fn("EmailChanges.waiting")(function* (accountId: AccountId) {
        const now = DateTime.formatIso(yield* DateTime.now)
        const [row] = yield* db<{ email: string }>`
          select email from email_change
          where account_id = ${accountId} and expires_at > ${now} and tries < ${triesOfCode}`
        return Option.fromNullishOr(row?.email)
      }, dbDies)

      const confirm = Effect.fn("EmailChanges.confirm")(function* (
        accountId: AccountId,
        { email, code }: { readonly email: Email; readonly code: string }
      ) {
        yield* allowances.spend([policies.tries, accountId])
        const now = DateTime.formatIso(yield* DateTime.now)
        // An attempt is counted before it is checked, so that concurrent attempts gain nothing.
        const [waiting] = yield* db<WaitingRow>`
          update email_change set tries = tries + 1
          where account_id = ${accountId} and email_key = ${emailKey(email)} and expires_at > ${now}
            and tries < ${triesOfCode}
          returning email, email_key, code_hash`
        if (waiting === undefined) return yield* new EmailChangeRefused({ reason: "code_expired" })
        if (!timingSafeEqual(yield* hashOf(accountId, code), waiting.code_hash)) {
          return yield* new EmailChangeRefused({ reason: "code_incorrect" })
        }
        const old = yield* takeEmail(accountId, waiting)
        // The change stands even if the notice cannot be sent.
        yield* mailer
          .send(changedMail(old, baseUrl))
          .pipe(Effect.catchTag("MailRefused", ({ message }) => Effect.logWarning(message)))
      }, dbDies)

      /** Returns the old address. The code is used up in every case. */
      const takeEmail = Effect.fnUntraced(function* (accountId: AccountId, waiting: WaitingRow) {
        const mine = yield* db`
          delete from email_change where account_id = ${accountId} and code_hash = ${waiting.code_hash} returning email`
        if (mine.length === 0) return yield* new EmailChangeRefused({ reason: "code_expired" })
        // Checked first, because a violated constraint would put the address into traces. The constraint covers a
        // concurrent change.
        const [changed] = yield* db<{ old: string }>`
          update account a set email = ${waiting.email}, email_key = ${waiting.email_key}
          from (select id, email from account where id = ${accountId} for update) before
          where a.id = before.id
            and not exists (select from account where email_key = ${waiting.email_key} and id <> ${accountId})
          returning before.email as old`.pipe(
          Effect.catchIf(isTaken, () => Effect.succeed<ReadonlyArray<{ readonly old: string }>>([]))
        )
        return changed === undefined ? yield* new EmailChangeRefused({ reason: "email_in_use" }) : changed.old
      })

      return { start, waiting, confirm }
    })
  )
}

interface WaitingRow {
  readonly email: string
  readonly email_key: string
  readonly code_hash: Uint8Array
}

const isTaken = (error: unknown): boolean => SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation"

/** Six digits have no other protection at rest than the cost of trying them. */
const hashOf = (accountId: AccountId, code: string) =>
  argon2id(Redacted.make(code), createHash("sha256").update(`civic-record/email-change/1:${accountId}`).digest())

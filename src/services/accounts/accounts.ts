import { Context, Data, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { Account } from "../../../schema/account.ts"
import { AccountId } from "../../../schema/primitives.ts"
import { RemovedMedia } from "../clips/removed-media.ts"
import { given } from "../wire.ts"
import { SignInRequired } from "./access.ts"

/** Not a phone number that can exist, written as E.164. */
export class PhoneInvalid extends Data.TaggedError("PhoneInvalid") {}

/** The account has no phone number to remove. */
export class NoPhone extends Data.TaggedError("NoPhone") {}

/** E.164: a plus, the country code, the number; 15 digits at most. */
const e164 = /^\+[1-9]\d{4,14}$/

/**
 * An account's profile, and its deletion (spec 4.8). A session does not outlive its account, so a request whose account
 * is deleted meanwhile fails with `SignInRequired`.
 */
export class Accounts extends Context.Service<
  Accounts,
  {
    readonly get: (id: AccountId) => Effect.Effect<Account, SignInRequired>
    /** Trims the name; an empty one removes it. */
    readonly rename: (id: AccountId, name: string) => Effect.Effect<Account, SignInRequired>
    readonly setPhone: (id: AccountId, phone: string) => Effect.Effect<Account, PhoneInvalid | SignInRequired>
    readonly removePhone: (id: AccountId) => Effect.Effect<void, NoPhone>
    /** Deletes the account: sessions, clips with their media, share grants, follows, and every reference to it. */
    readonly remove: (id: AccountId) => Effect.Effect<void>
  }
>()("civic-record/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const db = yield* Db
      const removed = yield* RemovedMedia

      const get = Effect.fn("Accounts.get")(function* (id: AccountId) {
        const [row] = yield* db<AccountRow>`
          select id, email, name, phone, password_hash is not null as has_password, created_at
          from account where id = ${id}`
        return row === undefined ? yield* new SignInRequired({}) : accountOf(row)
      }, dbDies)

      const rename = Effect.fn("Accounts.rename")(function* (id: AccountId, name: string) {
        yield* db`update account set name = nullif(${name.trim()}, '') where id = ${id}`
        return yield* get(id)
      }, dbDies)

      const setPhone = Effect.fn("Accounts.setPhone")(function* (id: AccountId, phone: string) {
        const { parsePhoneNumberFromString } = yield* Effect.promise(() => import("libphonenumber-js/max"))
        if (!e164.test(phone) || parsePhoneNumberFromString(phone)?.isValid() !== true) {
          return yield* new PhoneInvalid()
        }
        yield* db`update account set phone = ${phone} where id = ${id}`
        return yield* get(id)
      }, dbDies)

      const removePhone = Effect.fn("Accounts.removePhone")(function* (id: AccountId) {
        const removed = yield* db`update account set phone = null where id = ${id} and phone is not null returning id`
        if (removed.length === 0) return yield* new NoPhone()
      }, dbDies)

      const remove = Effect.fn("Accounts.remove")(function* (id: AccountId) {
        // Everything an account owns is deleted with its row (foreign keys cascade), and the media of its clips is
        // queued for deletion.
        yield* db`delete from account where id = ${id}`
        yield* removed.sweep
      }, dbDies)

      return { get, rename, setPhone, removePhone, remove }
    })
  )
}

interface AccountRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly phone: string | null
  readonly has_password: boolean
  readonly created_at: Date
}

const accountOf = (row: AccountRow): Account => ({
  id: AccountId.make(row.id),
  email: row.email,
  ...given("name", row.name),
  ...given("phone", row.phone),
  has_password: row.has_password,
  created_at: row.created_at.toISOString()
})

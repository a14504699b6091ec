import { Context, Data, DateTime, Effect, Layer } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { CalendarAddress } from "../../../schema/account.ts"
import type { AccountId } from "../../../schema/primitives.ts"
import { newToken, tokenHash } from "./sessions.ts"

/** The account has no calendar address. */
export class NoCalendarAddress extends Data.TaggedError("NoCalendarAddress") {}

/**
 * No account has a calendar at this address. It is malformed, never existed, or was reset or removed; the error does
 * not say which.
 */
export class CalendarNotFound extends Data.TaggedError("CalendarNotFound") {}

const tokenForm = /^[\w-]{43}$/

/** The secret address of the calendar of an account's follows: everybody who has it sees the follows. */
export class CalendarAddresses extends Context.Service<
  CalendarAddresses,
  {
    /** Whether the account has an address, and since when; the address itself cannot be recovered. */
    readonly state: (account: AccountId) => Effect.Effect<CalendarAddress>
    /** Makes an address and returns it, the only time it is shown. An earlier address stops working. */
    readonly reset: (account: AccountId) => Effect.Effect<CalendarAddress>
    readonly remove: (account: AccountId) => Effect.Effect<void, NoCalendarAddress>
    /** The account whose calendar is at the address with this token. */
    readonly ownerOf: (token: string) => Effect.Effect<AccountId, CalendarNotFound>
  }
>()("civic-record/CalendarAddresses") {
  static readonly layer = Layer.effect(
    CalendarAddresses,
    Effect.gen(function* () {
      const db = yield* Db
      const { baseUrl } = yield* Environment

      const state = Effect.fn("CalendarAddresses.state")(function* (account: AccountId) {
        const [row] = yield* db<{ created_at: Date }>`
          select created_at from calendar_address where account_id = ${account}`
        return row === undefined ? { active: false } : { active: true, created_at: row.created_at.toISOString() }
      }, dbDies)

      const reset = Effect.fn("CalendarAddresses.reset")(function* (account: AccountId) {
        const token = newToken()
        const created_at = DateTime.formatIso(yield* DateTime.now)
        yield* db`
          insert into calendar_address (account_id, token_hash, created_at)
          select id, ${tokenHash(token)}::bytea, ${created_at}::timestamptz from account where id = ${account}
          on conflict (account_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at`
        return { active: true, created_at, url: `${baseUrl}/calendar/${token}.ics` }
      }, dbDies)

      const remove = Effect.fn("CalendarAddresses.remove")(function* (account: AccountId) {
        const gone = yield* db`delete from calendar_address where account_id = ${account} returning account_id`
        if (gone.length === 0) return yield* new NoCalendarAddress()
      }, dbDies)

      const ownerOf = Effect.fn("CalendarAddresses.ownerOf")(function* (token: string) {
        const [row] = tokenForm.test(token)
          ? yield* db<{ account_id: AccountId }>`
            select account_id from calendar_address where token_hash = ${tokenHash(token)}::bytea`
          : []
        return row === undefined ? yield* new CalendarNotFound() : row.account_id
      }, dbDies)

      return { state, reset, remove, ownerOf }
    })
  )
}

import { Context, Data, DateTime, Duration, Effect, Layer, Option } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { RatePolicy } from "../../../layers/rate-limits.ts"
import { mostReaderTokens } from "../../../schema/account.ts"
import { AccountId } from "../../../schema/primitives.ts"
import { type NotFound, readerTokenNotFound } from "../failures.ts"
import { idOf } from "../meetings/sql.ts"
import { given } from "../wire.ts"
import { Allowances, type TooOften } from "./allowance.ts"
import { newToken, tokenHash } from "./sessions.ts"

/** The account has as many tokens as it may have. */
export class TooManyReaderTokens extends Data.TaggedError("TooManyReaderTokens")<{ readonly limit: number }> {}

/** Another token of the account has this name. */
export class ReaderTokenNameTaken extends Data.TaggedError("ReaderTokenNameTaken") {}

/** A reader token that is malformed, unknown or revoked; the error does not say which. */
export class ReaderTokenInvalid extends Data.TaggedError("ReaderTokenInvalid") {}

/** The prefix of every token, so that secret scanners can recognize one. */
const prefix = "cr_reader_"
const form = /^cr_reader_[\w-]{43}$/

/** Between two writes of a token's last use, so that not every request causes a write. */
const noteUseEvery = Duration.minutes(1)

/** How long a revoked token stays in the export of its account. */
const keepRevoked = Duration.days(90)

const policies = {
  made: { name: "reader-tokens", limit: 20, windowSeconds: 86_400 },
  /** From all networks together; each network has the allowance of public reads besides. */
  used: { name: "reader-token-reads", limit: 300, windowSeconds: 60 }
} as const satisfies Record<string, RatePolicy>

interface TokenRow {
  readonly id: string
  readonly name: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** A live token without its secret. */
export interface ReaderToken {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at?: string
}

/** Tokens with which an account's programs read meetings over `/mcp`, and nothing else. */
export class ReaderTokens extends Context.Service<
  ReaderTokens,
  {
    /** The live tokens, newest first. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<ReaderToken>>
    /** Makes a token and returns it, the only time it is shown. */
    readonly make: (
      account: AccountId,
      name: string
    ) => Effect.Effect<string, TooManyReaderTokens | ReaderTokenNameTaken | TooOften>
    /** From the next request on, the token opens nothing. */
    readonly revoke: (account: AccountId, id: string) => Effect.Effect<void, NotFound>
    /** The account of a live token. Counts and notes the use. */
    readonly ownerOf: (token: string) => Effect.Effect<AccountId, ReaderTokenInvalid | TooOften>
  }
>()("civic-record/ReaderTokens") {
  static readonly layer = Layer.effect(
    ReaderTokens,
    Effect.gen(function* () {
      const db = yield* Db
      const allowances = yield* Allowances

      const list = Effect.fn("ReaderTokens.list")(function* (account: AccountId) {
        const rows = yield* db<TokenRow>`
          select id, name, created_at, last_used_at from reader_token
          where account_id = ${account} and revoked_at is null order by created_at desc, id desc`
        return rows.map(({ id, name, created_at, last_used_at }) => ({
          id,
          name,
          created_at: created_at.toISOString(),
          ...given("last_used_at", last_used_at?.toISOString())
        }))
      }, dbDies)

      const make = Effect.fn("ReaderTokens.make")(function* (account: AccountId, name: string) {
        yield* allowances.spend([policies.made, account])
        const now = yield* DateTime.now
        const token = `${prefix}${newToken()}`
        return yield* db.withTransaction(
          Effect.gen(function* () {
            // Of two concurrent attempts, the second sees the first.
            yield* db`select from account where id = ${account} for update`
            const live = yield* db<{ name: string }>`
              select name from reader_token where account_id = ${account} and revoked_at is null`
            if (live.length >= mostReaderTokens) return yield* new TooManyReaderTokens({ limit: mostReaderTokens })
            if (live.some((other) => other.name === name)) return yield* new ReaderTokenNameTaken()
            yield* db`
              delete from reader_token
              where account_id = ${account}
                and revoked_at <= ${DateTime.formatIso(DateTime.subtractDuration(now, keepRevoked))}`
            yield* db`
              insert into reader_token (account_id, name, token_hash, created_at)
              select id, ${name}, ${tokenHash(token)}::bytea, ${DateTime.formatIso(now)}::timestamptz
              from account where id = ${account}`
            return token
          })
        )
      }, dbDies)

      const revoke = Effect.fn("ReaderTokens.revoke")(function* (account: AccountId, id: string) {
        const revoked = yield* db`
          update reader_token set revoked_at = ${DateTime.formatIso(yield* DateTime.now)}
          where account_id = ${account} and id = ${idOf(id)} and revoked_at is null returning id`
        if (revoked.length === 0) return yield* readerTokenNotFound(id)
      }, dbDies)

      const ownerOf = Effect.fn("ReaderTokens.ownerOf")(function* (token: string) {
        if (!form.test(token)) return yield* new ReaderTokenInvalid()
        const [row] = yield* db<{ id: string; account_id: string; last_used_at: Date | null }>`
          select id, account_id, last_used_at from reader_token
          where token_hash = ${tokenHash(token)}::bytea and revoked_at is null`
        if (row === undefined) return yield* new ReaderTokenInvalid()
        yield* allowances.spend([policies.used, row.account_id])
        const now = yield* DateTime.now
        const noted = Option.map(Option.fromNullOr(row.last_used_at), DateTime.fromDateUnsafe)
        const isNoted = Option.exists(noted, (used) =>
          DateTime.isGreaterThan(used, DateTime.subtractDuration(now, noteUseEvery))
        )
        if (!isNoted) yield* db`update reader_token set last_used_at = ${DateTime.formatIso(now)} where id = ${row.id}`
        return AccountId.make(row.account_id)
      }, dbDies)

      return { list, make, revoke, ownerOf }
    })
  )
}

import { createHash } from "node:crypto"
import { Context, Data, Effect, Layer } from "effect"
import { RateLimits, type RatePolicy, type RateStanding } from "../../../layers/rate-limits.ts"
import { type Email, emailKey } from "../../../schema/email.ts"

/** More often than one account, one mailbox or one address may do something. */
export class TooOften extends Data.TaggedError("TooOften")<{
  readonly policy: RatePolicy
  readonly standing: RateStanding
}> {}

/** Counts what accounts, mailboxes and networks may do only so often. */
export class Allowances extends Context.Service<
  Allowances,
  {
    /** Counts one use of each allowance, in their order; the first that is used up refuses it. */
    readonly spend: (
      ...allowances: ReadonlyArray<readonly [policy: RatePolicy, key: string]>
    ) => Effect.Effect<void, TooOften>
  }
>()("civic-record/Allowances") {
  static readonly layer = Layer.effect(
    Allowances,
    Effect.gen(function* () {
      const limits = yield* RateLimits
      return {
        spend: Effect.fn("Allowances.spend")(function* (...allowances) {
          for (const [policy, key] of allowances) {
            const standing = yield* limits.consume(policy, key)
            if (!standing.allowed) return yield* new TooOften({ policy, standing })
          }
        })
      }
    })
  )
}

/** What a mailbox is counted by. A hash, because counters may be kept in Redis, where no address belongs. */
export const mailboxKey = (email: Email): string => createHash("sha256").update(emailKey(email)).digest("base64url")

import { createHash } from "node:crypto"
import { Context, Data, Effect, Layer } from "effect"
import { RateLimits, type RatePolicy, type RateStanding } from "../../../layers/rate-limits.ts"
import { type Email, emailKey } from "../../../schema/email.ts"

/** The limit per account, mailbox or network address is used up. */
export class TooOften extends Data.TaggedError("TooOften")<{
  readonly policy: RatePolicy
  readonly standing: RateStanding
}> {}

/** Rate limits of accounts, mailboxes and networks. */
export class Allowances extends Context.Service<
  Allowances,
  {
    /** Counts one use of each allowance, in order; the first that is used up refuses it. */
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

/** The key by which a mailbox is counted. A hash, because counters may be in Redis, where no address belongs. */
export const mailboxKey = (email: Email): string => createHash("sha256").update(emailKey(email)).digest("base64url")

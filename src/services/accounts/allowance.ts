import { createHash } from "node:crypto"
import { Data, Effect } from "effect"
import type { RateLimits, RatePolicy, RateStanding } from "../../../layers/rate-limits.ts"
import { type Email, emailKey } from "../../../schema/email.ts"

/** More often than one account, one mailbox or one address may do something. */
export class TooOften extends Data.TaggedError("TooOften")<{
  readonly policy: RatePolicy
  readonly standing: RateStanding
}> {}

/** Counts one use of each of some allowances, in their order; the first that is used up refuses it. */
export const spend = Effect.fnUntraced(function* (
  limits: RateLimits["Service"],
  ...allowances: ReadonlyArray<readonly [policy: RatePolicy, key: string]>
) {
  for (const [policy, key] of allowances) {
    const standing = yield* limits.consume(policy, key)
    if (!standing.allowed) return yield* new TooOften({ policy, standing })
  }
})

/** What a mailbox is counted by. A hash, because counters may be kept in Redis, where no address belongs. */
export const mailboxKey = (email: Email): string => createHash("sha256").update(emailKey(email)).digest("base64url")

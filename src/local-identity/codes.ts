import { createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto"
import { Clock, Duration, Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { Email } from "../../schema/email.ts"
import { mostSignIns } from "./memory.ts"

/** How long a code is valid (contract section 5). */
const codeLife = Duration.minutes(10)
/** How many attempts a code allows; after that not even the right one is accepted. */
const triesOfCode = 5

/** Six uniformly random digits. */
export const newCode = Effect.sync(() => String(randomInt(1_000_000)).padStart(6, "0"))

export type CodeOutcome = "right" | "wrong" | "expired" | "spent"

interface Waiting {
  readonly email: Email
  readonly mac: Buffer
  readonly expires: number
  triesLeft: number
}

/**
 * The codes that have been sent and not yet entered: one per sign-in, kept as an HMAC under a key that only this
 * process has, because six digits have no other protection at rest.
 */
export const makeCodes = Effect.sync(() => {
  const key = randomBytes(32)
  const waiting = new LRUCache<string, Waiting>({ max: mostSignIns })
  const macOf = (signIn: string, code: string) => createHmac("sha256", key).update(`${signIn}:${code}`).digest()
  const life = Duration.toMillis(codeLife)

  return {
    /** Stores a code that was sent, and ends the one before it. */
    expect: (signIn: string, email: Email, code: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        waiting.set(signIn, { email, mac: macOf(signIn, code), expires: now + life, triesLeft: triesOfCode })
      }),

    /** The address that a sign-in gave, if it was sent a code. */
    emailOf: (signIn: string): Email | undefined => waiting.peek(signIn)?.email,

    /** Counts an attempt. The right code works once. */
    check: (signIn: string, code: string) =>
      Effect.map(Clock.currentTimeMillis, (now): CodeOutcome => {
        const found = waiting.peek(signIn)
        if (found === undefined || found.expires <= now) return "expired"
        if (found.triesLeft === 0) return "spent"
        found.triesLeft -= 1
        if (!timingSafeEqual(macOf(signIn, code), found.mac)) return found.triesLeft === 0 ? "spent" : "wrong"
        waiting.delete(signIn)
        return "right"
      })
  }
})

import { createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto"
import { Clock, Duration, Effect } from "effect"
import type { Email } from "../../schema/email.ts"
import { makeBoundedMap, mostSignIns } from "./bounded-map.ts"

/** How long a code may be typed in (contract section 5). */
const codeLife = Duration.minutes(10)
/** How many codes may be typed in before the right one is worth nothing. */
const triesOfCode = 5

/** Six digits, each as likely as another. */
export const newCode = Effect.sync(() => String(randomInt(1_000_000)).padStart(6, "0"))

type CodeOutcome = "right" | "wrong" | "expired" | "spent"

interface Waiting {
  readonly email: Email
  readonly mac: Buffer
  readonly expires: number
  triesLeft: number
}

/**
 * The codes that were sent and not yet typed in: one a sign-in, kept as an HMAC under a key of this process alone, for
 * six digits have no other protection at rest.
 */
export const makeCodes = Effect.sync(() => {
  const key = randomBytes(32)
  const waiting = makeBoundedMap<Waiting>(mostSignIns)
  const macOf = (signIn: string, code: string) => createHmac("sha256", key).update(`${signIn}:${code}`).digest()
  const life = Duration.toMillis(codeLife)

  return {
    /** A code was sent; the one before it is over. */
    expect: (signIn: string, email: Email, code: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const sent = { email, mac: macOf(signIn, code), expires: now + life, triesLeft: triesOfCode }
        // One that is over is kept a while, so that whoever types it is told why it is not taken.
        waiting.set(signIn, sent, { now, lapses: now + 2 * life })
      }),

    /** The address that a sign-in gave, if it was sent a code. */
    emailOf: (signIn: string): Email | undefined => waiting.get(signIn)?.email,

    /** Counts a try. A code that was right is over. */
    check: (signIn: string, code: string) =>
      Effect.map(Clock.currentTimeMillis, (now): CodeOutcome => {
        const found = waiting.get(signIn)
        if (found === undefined || found.expires <= now) return "expired"
        if (found.triesLeft === 0) return "spent"
        found.triesLeft -= 1
        if (!timingSafeEqual(macOf(signIn, code), found.mac)) return found.triesLeft === 0 ? "spent" : "wrong"
        waiting.delete(signIn)
        return "right"
      })
  }
})

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import { Effect, Redacted } from "effect"

/** OWASP's second choice for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const saltBytes = 16
const tagBytes = 32

const derive = promisify((parameters: Argon2Parameters, done: (error: Error | null, key: Buffer) => void) =>
  argon2("argon2id", parameters, done)
)

/** argon2id of a secret: 32 bytes. It runs off the event loop and takes about 30 ms. */
export const argon2id = (secret: Redacted.Redacted, salt: Uint8Array): Effect.Effect<Buffer> =>
  Effect.promise(() =>
    derive({
      // A password stays the same however a keyboard composes it (NIST SP 800-63B, section 3.1.1.2).
      message: Redacted.value(secret).normalize("NFKC"),
      nonce: salt,
      tagLength: tagBytes,
      ...cost
    })
  )

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/=+$/, "")

const prefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`

/** The stored form of a password: a PHC string, with a salt of its own. */
export const hashPassword = Effect.fn("hashPassword")(function* (password: Redacted.Redacted) {
  const salt = randomBytes(saltBytes)
  return `${prefix}${unpadded(salt)}$${unpadded(yield* argon2id(password, salt))}`
})

/** A hash that no password matches, so that an account without a password, or no account, takes as long. */
const nobodys = `${prefix}${unpadded(randomBytes(saltBytes))}$${unpadded(randomBytes(tagBytes))}`

/** Whether a password matches the stored one; false if there is none, in the same time. */
export const isPassword = Effect.fn("isPassword")(function* (kept: string | undefined, password: Redacted.Redacted) {
  const [salt = "", tag = ""] = (kept ?? nobodys).slice(prefix.length).split("$")
  const derived = yield* argon2id(password, Buffer.from(salt, "base64"))
  const expected = Buffer.from(tag, "base64")
  return expected.length === derived.length && timingSafeEqual(derived, expected) && kept !== undefined
})

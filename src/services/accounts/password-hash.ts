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

/** argon2id of a secret: 32 bytes. It runs beside the event loop, some 30 ms. */
export const argon2id = (secret: Redacted.Redacted, salt: Uint8Array): Effect.Effect<Buffer> =>
  Effect.promise(() =>
    derive({
      // However a keyboard composes it, it is the same password (NIST SP 800-63B, section 3.1.1.2).
      message: Redacted.value(secret).normalize("NFKC"),
      nonce: salt,
      tagLength: tagBytes,
      ...cost
    })
  )

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/=+$/, "")

const prefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`

/** A password as it is kept: a PHC string, with a salt of its own. */
export const hashPassword = Effect.fn("hashPassword")(function* (password: Redacted.Redacted) {
  const salt = randomBytes(saltBytes)
  return `${prefix}${unpadded(salt)}$${unpadded(yield* argon2id(password, salt))}`
})

/** What nobody's password is compared with, so that an account without one, or no account, takes as long. */
const nobodys = `${prefix}${unpadded(randomBytes(saltBytes))}$${unpadded(randomBytes(tagBytes))}`

/** Whether a password is the one that is kept; never where none is, and that takes as long to say. */
export const isPassword = Effect.fn("isPassword")(function* (kept: string | undefined, password: Redacted.Redacted) {
  const [salt = "", tag = ""] = (kept ?? nobodys).slice(prefix.length).split("$")
  const derived = yield* argon2id(password, Buffer.from(salt, "base64"))
  const expected = Buffer.from(tag, "base64")
  return expected.length === derived.length && timingSafeEqual(derived, expected) && kept !== undefined
})

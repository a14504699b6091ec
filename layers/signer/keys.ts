import { randomBytes } from "node:crypto"
import * as path from "node:path"
import { Effect, Redacted } from "effect"
import { InvalidSetting } from "../config/config.ts"
import { keptFile } from "../data-folder/kept-file.ts"

export interface SigningKey {
  /** Included in every token made with the key. */
  readonly id: string
  /** At least 256 bits. */
  readonly secret: Redacted.Redacted<Uint8Array>
}

/** The current key signs; signatures by earlier keys remain valid. */
export interface SigningKeys {
  readonly current: SigningKey
  readonly previous: ReadonlyArray<SigningKey>
}

const form = /^([A-Za-z0-9_-]{1,16}):([A-Za-z0-9+/_-]+={0,2})$/

const invalid = (what: string) => new InvalidSetting({ setting: "SIGNING_KEYS", message: `SIGNING_KEYS ${what}` })

/**
 * Reads `id:secret,id:secret`: the first key signs, and all of them verify, so a new key in front rotates them. An id
 * has up to 16 letters, digits, `-` or `_`; a secret has at least 32 bytes in base64 or base64url. Fails with
 * `InvalidSetting`, which never contains any part of a key.
 */
export const parseSigningKeys = Effect.fnUntraced(function* (
  text: Redacted.Redacted
): Effect.fn.Return<SigningKeys, InvalidSetting> {
  const keys: Array<SigningKey> = []
  for (const pair of Redacted.value(text).split(",")) {
    const [, id, written] = form.exec(pair.trim()) ?? []
    const secret = Buffer.from(written ?? "", "base64")
    if (id === undefined || secret.length < 32) {
      return yield* invalid(
        "must be id:secret pairs joined by commas, of which the first signs; generate one with: echo k1:$(openssl rand -base64 32)"
      )
    }
    if (keys.some((key) => key.id === id)) return yield* invalid("must not have two keys with the same id.")
    keys.push({ id, secret: Redacted.make(secret, { label: "signing key" }) })
  }
  const [current, ...previous] = keys
  return current === undefined ? yield* invalid("must not be empty.") : { current, previous }
})

/**
 * The default keys: one is generated on first start and stored in the data folder, readable by its owner only. If two
 * processes generate one concurrently, one wins and both use it.
 */
export const keptKeys = (dataDir: string): Effect.Effect<Redacted.Redacted, InvalidSetting> => {
  const file = path.join(dataDir, "signing-keys")
  return Effect.try({
    try: () => Redacted.make(keptFile(file, 0o711, () => `k1:${randomBytes(32).toString("base64url")}\n`)),
    catch: (cause) =>
      invalid(`must be set: ${file} can be neither read nor created (${(cause as NodeJS.ErrnoException).code}).`)
  })
}

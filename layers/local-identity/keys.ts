import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Schema } from "effect"
import { InvalidSetting } from "../config.ts"

const Kept = Schema.fromJsonString(
  Schema.Struct({
    signing_key: Schema.Struct({
      kty: Schema.Literal("EC"),
      crv: Schema.Literal("P-256"),
      x: Schema.String,
      y: Schema.String,
      d: Schema.String
    }),
    cookie_key: Schema.String,
    client_secret: Schema.String
  })
)

/** What the local provider keeps to itself: the key of its ID tokens (ES256), of its cookies, and its client's secret. */
export type LocalKeys = typeof Kept.Type

const newKeys = (): LocalKeys => {
  const {
    x = "",
    y = "",
    d = ""
  } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    format: "jwk"
  })
  return {
    signing_key: { kty: "EC", crv: "P-256", x, y, d },
    cookie_key: randomBytes(32).toString("base64url"),
    client_secret: randomBytes(32).toString("base64url")
  }
}

/**
 * The local provider's keys: made the first time and kept under the data folder, for its owner only. Of two processes
 * that make them at once, one wins and both use its own. Fails with `InvalidSetting`, which holds none of them.
 */
export const keptLocalKeys = (dataDir: string): Effect.Effect<LocalKeys, InvalidSetting> => {
  const folder = path.join(dataDir, "secrets")
  const file = path.join(folder, "local-identity.json")
  return Effect.try(() => {
    if (!fs.existsSync(file)) {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      const made = `${file}.${randomUUID()}`
      fs.writeFileSync(made, Schema.encodeSync(Kept)(newKeys()), { mode: 0o600, flag: "wx" })
      linkUnlessThere(made, file)
      fs.rmSync(made)
    }
    return fs.readFileSync(file, "utf8")
  }).pipe(
    Effect.flatMap(Schema.decodeEffect(Kept)),
    Effect.mapError(
      () =>
        new InvalidSetting({
          setting: "DATA_DIR",
          message: `DATA_DIR must be a folder of ours: ${file} can be neither read nor made. Remove it to make new keys.`
        })
    )
  )
}

/** A link is there whole or not at all, and never takes another's place. */
const linkUnlessThere = (from: string, to: string) => {
  try {
    fs.linkSync(from, to)
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  }
}

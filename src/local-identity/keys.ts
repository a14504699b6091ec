import { generateKeyPairSync, randomBytes } from "node:crypto"
import * as path from "node:path"
import { Effect, Schema } from "effect"
import { InvalidSetting } from "../../layers/config.ts"
import { keptFile } from "../../layers/kept-file.ts"

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
  const file = path.join(dataDir, "secrets", "local-identity.json")
  return Effect.try(() => keptFile(file, 0o700, () => Schema.encodeSync(Kept)(newKeys()))).pipe(
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

import { generateKeyPairSync, randomBytes } from "node:crypto"
import * as path from "node:path"
import { Effect, Schema } from "effect"
import { InvalidSetting } from "../../layers/config/config.ts"
import { keptFile } from "../../layers/data-folder/kept-file.ts"

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

/** The local provider's secrets: the key of its ID tokens (ES256), the key of its cookies, and its client's secret. */
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
 * The local provider's keys: generated on first start and kept under the data folder, readable by its owner only. If
 * two processes generate them concurrently, one wins and both use its keys. Fails with `InvalidSetting`, which contains
 * none.
 */
export const keptLocalKeys = (dataDir: string): Effect.Effect<LocalKeys, InvalidSetting> => {
  const file = path.join(dataDir, "secrets", "local-identity.json")
  return Effect.try(() => keptFile(file, 0o700, () => Schema.encodeSync(Kept)(newKeys()))).pipe(
    Effect.flatMap(Schema.decodeEffect(Kept)),
    Effect.mapError(
      () =>
        new InvalidSetting({
          setting: "DATA_DIR",
          message: `DATA_DIR must be a folder that we can use: ${file} can be neither read nor created. Remove it to generate new keys.`
        })
    )
  )
}

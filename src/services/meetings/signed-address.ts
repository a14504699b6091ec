import { Effect } from "effect"
import { Environment } from "../../../layers/config.ts"
import { Signer } from "../../../layers/signer/signer.ts"
import { mediaPath } from "./media-tier.ts"

/** Signs the address of the object at a key for this visit, watch-only, and says when it expires (spec section 8). */
export const signedAddress = Effect.gen(function* () {
  const signer = yield* Signer
  const { baseUrl } = yield* Environment
  return (key: string) =>
    Effect.map(signer.signMedia(key, { download: false }), ({ sig, expires_at }) => ({
      url: `${baseUrl}${mediaPath(key)}?sig=${sig}`,
      expires_at
    }))
})

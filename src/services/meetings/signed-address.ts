import { Effect } from "effect"
import type { Signer } from "../../../layers/signer.ts"
import { mediaPath } from "./media-tier.ts"

/** The address of the object at a key, signed for this visit: watch-only, and until when (spec section 8). */
export const signedAddress = (signer: Signer["Service"], baseUrl: string) => (key: string) =>
  Effect.map(signer.signMedia(key, { download: false }), ({ sig, expires_at }) => ({
    url: `${baseUrl}${mediaPath(key)}?sig=${sig}`,
    expires_at
  }))

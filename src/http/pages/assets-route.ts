import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { noSuchRoute } from "../../api/errors/common.ts"
import { Assets } from "../../pages/assets.ts"
import { problemResponse } from "../problem.ts"

/** Caching of a file whose address changes with its content. */
const forGood = "public, max-age=31536000, immutable"

/**
 * `GET /assets/{hash}/{name}`. Under the hash of this build a file is immutable. Under another hash, which a page from
 * before a deployment names, it is this build's file, and is not cached.
 */
export const AssetsRoute = Layer.unwrap(
  Effect.map(Assets, (assets) =>
    HttpRouter.add(
      "GET",
      "/assets/:hash/*",
      Effect.map(HttpRouter.params, ({ hash, "*": name = "" }) => {
        const asset = assets.find(name)
        return asset === undefined
          ? problemResponse(noSuchRoute(`/assets/${hash}/${name}`))
          : HttpServerResponse.uint8Array(asset.bytes, {
              contentType: asset.contentType,
              headers: { "cache-control": hash === assets.hash ? forGood : "no-store" }
            })
      })
    )
  )
)

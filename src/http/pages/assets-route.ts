import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { noSuchRoute } from "../../api/errors/common.ts"
import { Assets } from "../../pages/assets.ts"
import { problemResponse } from "../problem.ts"

/** What caches may do with a file whose address changes with its content. */
export const forGood = "public, max-age=31536000, immutable"

/**
 * `GET /assets/{hash}/{name}`. Under the hash of this build a file never changes. Under another one, which a page from
 * before a deployment names, it is the file of this build, and is not kept.
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

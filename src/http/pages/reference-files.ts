import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { swaggerFilePath, swaggerFiles } from "../../pages/parts/swagger-ui.ts"
import { codingOf } from "../content-coding.ts"
import { forGood } from "./assets-route.ts"

const contentTypes = {
  script: "text/javascript; charset=utf-8",
  style: "text/css; charset=utf-8"
} as const satisfies Record<keyof typeof swaggerFiles, string>

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/**
 * A file of Swagger UI, read on first request and then held compressed: 1.7 MB of script that most processes never
 * send. Its comment naming a source map is removed, because the map is not served; its style becomes a cascade layer,
 * so that the site's can correct it.
 */
const fileRoute = (kind: keyof typeof swaggerFiles) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const name = swaggerFiles[kind]
      const plain = Effect.promise(async () => {
        const file = await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)), "utf8")
        const bare = file.replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=.*$/, "")
        return Buffer.from(kind === "style" ? `@layer library {\n${bare}\n}\n` : bare)
      })
      const compressed = {
        br: yield* Effect.cached(
          Effect.flatMap(plain, (bytes) =>
            Effect.promise(() => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }))
          )
        ),
        gzip: yield* Effect.cached(Effect.flatMap(plain, (bytes) => Effect.promise(() => gzipped(bytes))))
      }
      return HttpRouter.add("GET", swaggerFilePath(name), (request) => {
        const coding = codingOf(request)
        return Effect.map(coding === "identity" ? plain : compressed[coding], (bytes) =>
          HttpServerResponse.uint8Array(bytes, {
            contentType: contentTypes[kind],
            headers: {
              "cache-control": forGood,
              vary: "Accept-Encoding",
              ...(coding === "identity" ? {} : { "content-encoding": coding })
            }
          })
        )
      })
    })
  )

/** The files of the API reference, under a path with their version. */
export const ReferenceFiles = Layer.mergeAll(fileRoute("script"), fileRoute("style"))

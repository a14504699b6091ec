import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { ApiDocument, decodeDocument } from "../../pages/reference/api-document.ts"
import { Build } from "../build.ts"
import { openApiDocument } from "./document.ts"

/** The OpenAPI document of this build, made once; what the reference shows of it is read when it is first asked for. */
export const ApiDocumentLive = Layer.effect(
  ApiDocument,
  Effect.gen(function* () {
    const { baseUrl } = yield* Environment
    const build = yield* Build
    const whole = openApiDocument(build.id, baseUrl)
    const shown = yield* Effect.cached(
      Effect.orDie(Effect.suspend(() => decodeDocument(JSON.parse(JSON.stringify(whole)))))
    )
    return { whole, shown }
  })
)

/** `GET /openapi.json`: the OpenAPI document of this build. */
export const OpenApiRoute = Layer.unwrap(
  ApiDocument.use(({ whole }) =>
    Effect.succeed(
      HttpRouter.add(
        "GET",
        "/openapi.json",
        HttpServerResponse.jsonUnsafe(whole, {
          headers: { "cache-control": "public, max-age=60, stale-while-revalidate=300" }
        })
      )
    )
  )
)

import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { Build } from "../build.ts"
import { openApiDocument } from "./document.ts"

/** `GET /openapi.json`: the OpenAPI document of this build. */
export const OpenApiRoute = Layer.unwrap(
  Effect.gen(function* () {
    const { baseUrl } = yield* Environment
    const build = yield* Build
    const document = HttpServerResponse.jsonUnsafe(openApiDocument(build.id, baseUrl), {
      headers: { "cache-control": "public, max-age=60, stale-while-revalidate=300" }
    })
    return HttpRouter.add("GET", "/openapi.json", document)
  })
)

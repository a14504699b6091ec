import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/api.ts"
import { PublicRead } from "../../src/api/middleware.ts"
import { Cached, Surface } from "../../src/api/surface.ts"

/** Every operation whose responses are cached, as declared. */
export const cachedOperations = () => {
  const found: Array<{ method: string; path: string; surface: string; isCounted: boolean }> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations, middleware }) => {
      if (Context.get(mergedAnnotations, Cached) === "never") return
      found.push({
        method: endpoint.method,
        path: endpoint.path,
        surface: Context.get(mergedAnnotations, Surface),
        isCounted: [...middleware].some(({ key }) => key === PublicRead.key)
      })
    }
  })
  return found
}

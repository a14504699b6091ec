import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/api.ts"
import { PublicRead } from "../../src/api/middleware.ts"
import { Kept, Surface } from "../../src/api/surface.ts"

/** Every operation whose answers are kept, as it was declared. */
export const keptOperations = () => {
  const found: Array<{ method: string; path: string; surface: string; isCounted: boolean }> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations, middleware }) => {
      if (Context.get(mergedAnnotations, Kept) === "never") return
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

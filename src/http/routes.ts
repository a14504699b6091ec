import { Context, Effect, Layer } from "effect"
import { FindMyWay, HttpRouter } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { Api } from "../api/api.ts"
import { needsCredential, Security } from "../api/security.ts"
import { Surface, type SurfaceKind } from "../api/surface.ts"
import { type CachedOperation, cachedOperation } from "./cache/cached-operation.ts"

/** Paths match exactly, including case and trailing slash. Slugs may be long. */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 4096
}

export interface MatchedRoute {
  /** The path as declared, `/api/meetings/:id`. */
  readonly path: string
  /** The contract's surface of the operation; a route outside the contract sets its own headers. */
  readonly surface: SurfaceKind | undefined
  /** Whether the contract requires a credential, which is checked before anything is said about the body. */
  readonly secured: boolean
  /** How its answers are cached, if they are. */
  readonly cached: CachedOperation | undefined
}

/** Every route of this server, for decisions before the router runs, or when it finds nothing. */
export class Routes extends Context.Service<
  Routes,
  {
    readonly record: (method: string, path: `/${string}` | "*") => void
    /** The route that answers; HEAD is answered by GET. */
    readonly match: (method: string, url: string) => MatchedRoute | undefined
    /** The methods of this path, for `Allow`; empty if there is nothing at it. */
    readonly allowed: (url: string) => ReadonlyArray<string>
  }
>()("civic-record/Routes") {
  static readonly layer = Layer.sync(Routes, () => {
    const operations = operationsOf(Api)
    const table = FindMyWay.make<MatchedRoute>(routerConfig)
    const methods = new Set<string>()
    const match = (method: string, url: string) =>
      (table.find(method as never, url) ?? (method === "HEAD" ? table.find("GET", url) : undefined))?.handler
    return {
      record: (method, path) => {
        const route = { path, ...(operations.get(`${method} ${path}`) ?? outside) }
        if (method === "*") return table.all(path, route)
        methods.add(method)
        table.on(method as never, path, route)
      },
      match,
      allowed: (url) => {
        const found = [...methods].filter((method) => match(method, url) !== undefined)
        if (found.length === 0) return []
        return [...found.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"]
      }
    }
  })
}

/** A route outside the contract. */
const outside = { surface: undefined, secured: false, cached: undefined }

const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyMap<string, Omit<MatchedRoute, "path">> => {
  const operations = new Map<string, Omit<MatchedRoute, "path">>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      operations.set(`${endpoint.method} ${endpoint.path}`, {
        surface: Context.get(mergedAnnotations, Surface),
        secured: needsCredential(Context.get(mergedAnnotations, Security)),
        cached: cachedOperation(endpoint, mergedAnnotations)
      })
    }
  })
  return operations
}

/** The router, which also records every route added to it in `Routes`. */
export const recordingRouter: Layer.Layer<HttpRouter.HttpRouter, never, HttpRouter.HttpRouter | Routes> = Layer.effect(
  HttpRouter.HttpRouter,
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const routes = yield* Routes
    return {
      ...router,
      add: (method, path, handler, options) => {
        routes.record(method, path)
        return router.add(method, path, handler, options)
      },
      addAll: (added) => {
        for (const { method, path } of added) routes.record(method, path)
        return router.addAll(added)
      }
    }
  })
)

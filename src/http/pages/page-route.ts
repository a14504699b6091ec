import { Effect, Layer, Option, type Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentViewer } from "../../api/access.ts"
import type { WireError } from "../../api/errors/classes.ts"
import { invalidRequest } from "../../api/errors/common.ts"
import { wire } from "../../failures/failures.ts"
import type { Load, PageFailure } from "../../pages/page.ts"
import { parametersOf } from "../../pages/query.ts"
import { Visits } from "../../services/accounts/visits.ts"
import { cachedResponses, isForAll } from "../cache/cached-response.ts"
import { settlingViewer } from "../middleware/access.ts"
import { firstTrouble } from "../middleware/bad-fields.ts"
import { countingPublicReads } from "../middleware/public-reads.ts"
import { refusing } from "./refusals.ts"
import { type First, secret } from "./share-links.ts"
import { pageAddress, redirect, showing } from "./show.ts"
import { isOpened } from "./visit.ts"

/** The answer to a caller whose page or feed could not be loaded. */
export const refusal = (failure: PageFailure | Schema.SchemaError, query: URLSearchParams): WireError => {
  if (failure._tag !== "SchemaError") return wire(failure)
  const { field = "The address", problem } = firstTrouble(failure.issue, parametersOf(query))
  return invalidRequest(field, problem, "Correct it in the address.")
}

type Handle = (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext
>

/** Adds a handler at the path of a page and, for Markdown, under `/md`. */
export const addPage = (path: `/${string}`, handle: Handle) => {
  const spellings: ReadonlyArray<`/${string}`> = path === "/" ? ["/", "/md", "/md/"] : [path, `/md${path}`]
  return Layer.mergeAll(Layer.empty, ...spellings.map((spelling) => HttpRouter.add("GET", spelling, handle)))
}

/**
 * How a page differs from others. `cached`: it shows only what the cached operations of the API return, as of this
 * minute, so it is cached as well for callers who present nothing. `first`: what is checked before the page is loaded.
 */
interface Ways<F> {
  readonly cached?: true
  readonly first?: Effect.Effect<First, never, F>
}

const nothingFirst: Effect.Effect<First> = Effect.succeed(() => Effect.succeed(Option.none()))

/**
 * One page at its path, and as Markdown under `/md` (spec section 1): counted as a public read, shown to every viewer.
 */
export const pageRoute = <R, F = never>(
  path: `/${string}`,
  load: Load<R>,
  { cached, first = nothingFirst }: Ways<F> = {}
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const before = yield* first
      const respond = yield* cachedResponses<WireError>()
      const services = yield* Effect.context<R>()
      const counted = yield* countingPublicReads
      const settled = yield* settlingViewer
      const show = yield* showing
      const visits = yield* Visits
      const refuse = yield* refusing

      const answer = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const params = yield* HttpRouter.params
        const viewer = yield* CurrentViewer
        const query = new URL(request.url, "http://localhost").searchParams
        const instead = yield* before(params)
        if (Option.isSome(instead)) return instead.value
        const newSince =
          viewer._tag !== "Reader"
            ? undefined
            : yield* isOpened(request) ? visits.note(viewer.accountId) : visits.newSince(viewer.accountId)
        const found = yield* load({ params, query, viewer, newSince }).pipe(
          Effect.provideContext(services),
          Effect.mapError((failure) => refusal(failure, query))
        )
        const response =
          "movedTo" in found ? redirect(request, found.movedTo) : show(request, found, viewer._tag === "Reader")
        return query.has("st") ? HttpServerResponse.setHeaders(response, secret) : response
      })
      const cacheable = Effect.gen(function* () {
        if (cached !== true || !(yield* isForAll)) return yield* answer
        const request = yield* HttpServerRequest.HttpServerRequest
        return yield* respond(pageAddress(request), answer)
      })
      const handle = (request: HttpServerRequest.HttpServerRequest) =>
        Effect.catch(Effect.andThen(counted, settled(cacheable)), (error: WireError) => refuse(request, error))

      return addPage(path, handle)
    })
  )

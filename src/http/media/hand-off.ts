import { Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import { noSuchObject } from "../../api/errors/common.ts"
import { objectResponse } from "./object-response.ts"

/** The location of nginx that has the store's folder, and that only a response of ours leads to. */
const internalPrefix = "/media-files/"

interface Sent {
  readonly cacheControl: string
  readonly downloadAs?: string
  /** For how long the store's own address may be good; without it, the bytes are sent from here. */
  readonly seconds?: number | undefined
}

/**
 * How this deployment sends an object, once it is settled that the caller may have it: the bytes themselves, or, by
 * `MEDIA_HANDOFF`, a word to nginx or a redirect to the store. Fails with `NotFound` if there is none.
 */
export const sendingMedia = Effect.gen(function* () {
  const { mediaHandoff } = yield* Environment
  const store = yield* ObjectStore

  const existing = Effect.fnUntraced(function* (key: string) {
    const found = yield* Effect.orDie(store.head(key))
    return Option.isSome(found) ? found.value : yield* Effect.fail(noSuchObject(key))
  })

  /**
   * nginx sends the file that `X-Accel-Redirect` names, evaluates ranges and conditions, and tags it by itself. A key
   * has one of a few shapes, so nothing in it needs escaping.
   */
  const leftToProxy = Effect.fnUntraced(function* (key: string, { cacheControl, downloadAs }: Sent) {
    const { media_type } = yield* existing(key)
    return HttpServerResponse.empty({
      status: 200,
      headers: {
        "x-accel-redirect": internalPrefix + key,
        "content-type": media_type,
        "content-encoding": "identity",
        "cache-control": cacheControl,
        ...(downloadAs === undefined ? {} : { "content-disposition": `attachment; filename="${downloadAs}"` })
      }
    })
  })

  const leftToStore = Effect.fnUntraced(function* (key: string, sent: Sent & { readonly seconds: number }) {
    yield* existing(key)
    // The settings are refused unless the store has such addresses.
    const { address } = yield* Effect.orDie(Effect.fromNullishOr(store.presigned))
    const location = yield* Effect.orDie(address(key, sent))
    return HttpServerResponse.empty({ status: 307, headers: { location, "cache-control": "no-store" } })
  })

  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, key: string, sent: Sent) {
    const { seconds } = sent
    if (mediaHandoff === "x-accel") return yield* leftToProxy(key, sent)
    // An address of the store is for GET alone.
    return mediaHandoff === "presigned" && seconds !== undefined && request.method === "GET"
      ? yield* leftToStore(key, { ...sent, seconds })
      : yield* objectResponse(store, request, key, sent)
  })
})

/** What recordings and clips are loaded from beside this origin, as a source of a content security policy. */
export const mediaSource = Effect.gen(function* () {
  const { mediaHandoff } = yield* Environment
  const { presigned } = yield* ObjectStore
  return mediaHandoff === "presigned" && presigned !== undefined ? presigned.origin : undefined
})

/** Where pages may load recordings and clips from: our own origin, and what `mediaSource` gives. */
export const mediaDirective = (own: string, store: string | undefined): string =>
  `media-src ${own}${store === undefined ? "" : ` ${store}`}`
